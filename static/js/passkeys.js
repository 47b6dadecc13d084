// A form with data-passkey asks the device for a passkey, and sends what it answers with the rest of the form.
export async function askDevice(purpose, address, token, { fetch, credentials, PublicKeyCredential }) {
  const body = new URLSearchParams({ for: purpose, csrfmiddlewaretoken: token });
  const response = await fetch(address, { method: "POST", body });
  if (!response.ok) throw new Error(`${response.status}`);
  const { publicKey } = await response.json();
  const credential = purpose === "new"
    ? await credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) })
    : await credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  return JSON.stringify(credential.toJSON());
}

export function canUsePasskeys(view) {
  // parseRequestOptionsFromJSON is younger than passkeys (Chrome 129, Firefox 119, Safari 18.4); without it, codes
  // remain.
  return Boolean(view.navigator?.credentials && view.PublicKeyCredential?.parseRequestOptionsFromJSON);
}

async function send(form, view) {
  const { passkey, options, field } = form.dataset;
  const failed = document.getElementById(form.dataset.failed);
  failed.hidden = true;
  try {
    const browser = {
      fetch: view.fetch.bind(view),
      credentials: view.navigator.credentials,
      PublicKeyCredential: view.PublicKeyCredential,
    };
    const token = form.elements.csrfmiddlewaretoken.value;
    form.elements[field].value = await askDevice(passkey, options, token, browser);
  } catch (error) {
    if (passkey === "new" && error.message === "403") form.submit();       // the site asks first who it is
    failed.hidden = false;                                                // cancelled, or no answer in time
    return;
  }
  form.submit();
}

export function start(document, view) {
  if (!canUsePasskeys(view)) return;                                      // buttons stay hidden
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form, view);
    });
    const buttons = document.querySelectorAll(`#${form.id} button, button[form="${form.id}"]`);
    for (const button of buttons) button.classList.remove("without-script");
  }
}
if (globalThis.document) start(document, globalThis);
