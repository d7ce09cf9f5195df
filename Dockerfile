# An image of the servers: the page with REST and MCP, or MCP alone.
#
#   docker build -t daypack .
#   docker run --rm --read-only --tmpfs /tmp -p 127.0.0.1:8377:8377 -v "$PWD:/project:ro" -v daypack:/data daypack
#   docker run … daypack mcp --http --host 0.0.0.0 --beyond-this-machine
#
# The store and the token stand in the volume /data, the project to index in /project.

FROM python:3.13-slim AS build
WORKDIR /src
COPY requirements requirements
RUN python -m venv /opt/daypack \
    && /opt/daypack/bin/pip install --no-cache-dir --require-hashes -r requirements/office.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/daypack/bin/pip install --no-cache-dir --no-build-isolation --no-deps .

FROM python:3.13-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin daypack \
    && install -d -o daypack -g daypack -m 0700 /data \
    && install -d -o daypack -g daypack /project
COPY --from=build /opt/daypack /opt/daypack
ENV PATH=/opt/daypack/bin:$PATH HOME=/data DAYPACK_STORE=/data/store PYTHONDONTWRITEBYTECODE=1
USER 10001
WORKDIR /project
VOLUME /data
EXPOSE 8377
STOPSIGNAL SIGINT
# Alive is a server that answers: 200, or 401 because this check carries no token.
HEALTHCHECK --interval=30s --timeout=6s --start-period=20s CMD ["python", "-c", "import http.client; c = http.client.HTTPConnection('127.0.0.1', 8377, timeout=5); c.request('GET', '/health'); raise SystemExit(c.getresponse().status not in (200, 401))"]
ENTRYPOINT ["daypack"]
CMD ["serve", "--no-open", "--host", "0.0.0.0", "--beyond-this-machine"]
