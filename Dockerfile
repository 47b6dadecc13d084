# Keywright for a team: gunicorn, not root. docker-compose.yml runs it with PostgreSQL and Redis.
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app

COPY requirements.txt .
RUN pip install --require-hashes -r requirements.txt

COPY . .
# Collected in embedded mode, which needs no secrets; the key made for this is not kept.
RUN useradd --system --no-create-home --uid 10001 keywright \
 && python manage.py prepare \
 && rm -f var/secret_key var/*.sqlite3* \
 && mkdir /books \
 && chown -R keywright var /books

USER keywright
ENV KEYWRIGHT_MODE=team
EXPOSE 8000
# Alive: the database takes writes. Compose asks /readyz of the web server instead, and workers by a ping.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=6 CMD ["python", "-c", "import os, urllib.request as u; host = os.environ['ALLOWED_HOSTS'].split(',')[0].strip().lstrip('.*') or 'localhost'; u.urlopen(u.Request('http://localhost:8000/healthz', headers={'Host': host, 'X-Forwarded-Proto': 'https'}), timeout=4)"]
CMD ["gunicorn", "config.wsgi:application", "--bind", "0.0.0.0:8000", "--worker-class", "config.web_worker.WebWorker", "--logger-class", "config.web_worker.WebLog", "--workers", "2", "--threads", "8", "--worker-connections", "4000", "--max-requests", "200000", "--max-requests-jitter", "20000", "--worker-tmp-dir", "/dev/shm", "--no-control-socket", "--access-logfile", "-"]
