# Keywright in two images, neither as root (docs/containers.md):
#   docker build --target cli --tag keywright-cli .    the command, for files
#   docker build --tag keywright .                     the site of a team; docker-compose.yml runs it with PostgreSQL and Redis

FROM python:3.12-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
COPY requirements-cli.txt requirements.txt ./
# Environments without pip: what is only needed to build stays in this stage.
RUN python -m venv --without-pip /opt/cli \
 && pip --python /opt/cli/bin/python install --require-hashes -r requirements-cli.txt
RUN python -m venv --without-pip /opt/site \
 && pip --python /opt/site/bin/python install --require-hashes -r requirements.txt
COPY . .
# Translations and static files, in embedded mode, which needs no secrets; the key made for this is not kept.
RUN /opt/site/bin/python manage.py prepare \
 && rm -f var/secret_key var/*.sqlite3* \
 && python -m compileall -q config designer estimator keywright reviews
# The parser of Terraform keeps what it builds beside itself, where no process of the images may write: each would take
# a second or two for it again.
RUN /opt/cli/bin/python -c "from hcl2.parser import parser; parser()" \
 && /opt/site/bin/python -c "from hcl2.parser import parser; parser()"

FROM python:3.12-slim AS cli
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PYTHONSAFEPATH=1 PYTHONPATH=/app PATH=/opt/cli/bin:$PATH
COPY --from=build /opt/cli /opt/cli
COPY --from=build /app/pyproject.toml /app/pyproject.toml
COPY --from=build /app/config /app/config
COPY --from=build /app/designer /app/designer
COPY --from=build /app/estimator /app/estimator
COPY --from=build /app/keywright /app/keywright
COPY --from=build /app/locale /app/locale
COPY --from=build /app/reviews /app/reviews
RUN useradd --system --no-create-home --uid 10001 keywright \
 && printf '#!/bin/sh\nexec /opt/cli/bin/python -m keywright "$@"\n' > /opt/cli/bin/keywright \
 && chmod 755 /opt/cli/bin/keywright
USER keywright
WORKDIR /designs
ENTRYPOINT ["keywright"]
CMD ["--help"]

FROM python:3.12-slim AS site
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PATH=/opt/site/bin:$PATH
WORKDIR /app
COPY --from=build /opt/site /opt/site
COPY --from=build /app /app
RUN useradd --system --no-create-home --uid 10001 keywright \
 && mkdir /books \
 && chown -R keywright var /books
USER keywright
ENV KEYWRIGHT_MODE=team
EXPOSE 8000
# Alive: the database takes writes. Compose asks /readyz of the web server instead, and workers by a ping.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=6 CMD ["python", "-c", "import os, urllib.request as u; host = os.environ['ALLOWED_HOSTS'].split(',')[0].strip().lstrip('.*') or 'localhost'; u.urlopen(u.Request('http://localhost:8000/healthz', headers={'Host': host, 'X-Forwarded-Proto': 'https'}), timeout=4)"]
CMD ["gunicorn", "config.wsgi:application", "--bind", "0.0.0.0:8000", "--worker-class", "config.web_worker.WebWorker", "--logger-class", "config.web_worker.WebLog", "--workers", "2", "--threads", "8", "--worker-connections", "4000", "--max-requests", "200000", "--max-requests-jitter", "20000", "--worker-tmp-dir", "/dev/shm", "--no-control-socket", "--access-logfile", "-"]
