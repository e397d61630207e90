# Builds two images: `service` (API, workers, migration, terminal program), and `documents`, the same with a browser.
# Pin by digest for the same build on every machine: --build-arg NODE_IMAGE=node@sha256:... --build-arg BASE_IMAGE=debian@sha256:...
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY cli/package.json cli/
COPY clients/typescript/package.json clients/typescript/
COPY console/package.json console/
COPY scripts/build/package.json scripts/build/
RUN npm ci --omit=dev
COPY . .
# The packed server, for a machine that has a PostgreSQL and, if it prints, a browser: no container builds or fetches
# anything at start. dist/sbom.cdx.json lists its packages with their licences.
RUN node scripts/build/pack.mjs image --lay-out && chmod +x dist/packages/image/dist/cli.js

# Node only: neither npm nor anything else that could fetch or build a program.
FROM ${BASE_IMAGE} AS service
RUN apt-get update && apt-get install -y --no-install-recommends tini && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=build /app/dist/packages/image /app
# The state folder has the mode of /tmp: a tmpfs mounted over it belongs to root, and takes over the folder's mode.
RUN ln -s /app/dist/cli.js /usr/local/bin/weather && useradd --uid 10001 --create-home --shell /usr/sbin/nologin weather && \
    mkdir -p /files /var/lib/weather/blobs /var/lib/weather/files /var/lib/weather/arriving && chown -R weather /var/lib/weather && chmod 1777 /var/lib/weather
USER weather
ENV NODE_ENV=production HOST=0.0.0.0 WEATHER_HOME=/var/lib/weather
VOLUME /var/lib/weather
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/readyz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--enable-source-maps", "--max-semi-space-size=32", "dist/serve.js"]
CMD ["--roles=api,worker"]

FROM service AS documents
USER root
# The headless build of the browser needs a third of the packages.
RUN apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell fonts-noto-core && \
    apt-get clean && rm -rf /var/lib/apt/lists/*
USER weather
# Node.js takes half of the container's memory for its heap. Here the browser takes most of it: docs/production.md, "Memory".
ENV PUPPETEER_EXECUTABLE_PATH=/usr/bin/chromium-headless-shell NODE_OPTIONS=--max-old-space-size=640
