"""Messages of revisions that earlier versions stored: nothing writes them any more, histories still show them.

A revision keeps its description as a message and its parameters, so a message that changes here stays there. A message
that `edit_messages.py` or the label of a batch no longer has is moved to this list, which keeps its translation.
"""

from designer.document.texts import N_

STORED_MESSAGES = (
    N_("brought back {element}"),
    N_("changed the engine and, with it, the price book"),
    N_("made by the API token {name}"),
    N_("moved {element}"),
    N_("removed something with its uses"),
    N_("started"),
    N_("started from the example {name}"),
    N_("took a row key from pasted keys"),
    N_("{count} of them"),
    N_("{element}: {title} is not set any more"),
    N_("{element}: {title} is {now}"),
    N_("{element}: {title} was {was}, is {now}"),
    N_("{first}, and {more} more"),
    N_("{title} is not set any more"),
    N_("{title} is {now}"),
    N_("{title} was {was}, is {now}"),
    N_("{was} is called {now} now"),
)
