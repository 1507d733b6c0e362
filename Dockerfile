# Turnout with the PostgreSQL that comes with it; with DATABASE_URL it uses another one. compose.yaml shows how to run it.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The image brings its own Node; the one that is pinned for other machines would only make it larger.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24-slim
ENV NODE_ENV=production DATA_DIR=/data BACKUP_DIR=/backups LISTEN_HOST=0.0.0.0 PORT=8000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY scripts/compile-cache.mjs scripts/
COPY assets assets
COPY src src
# Compiled once, here: where the program runs it cannot write beside its sources.
RUN node --import ./scripts/compile-cache.mjs src/cli.ts --version \
    && install -d -o node -g node -m 0700 /data /backups
USER node
VOLUME ["/data", "/backups"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--import", "/app/scripts/compile-cache.mjs", "/app/src/cli.ts"]
CMD ["serve"]
