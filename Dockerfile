# syntax=docker/dockerfile:1
# One image for the four programs; api is the default:
#   worker  node dist/apps/worker/src/main.js
#   cli     node dist/apps/cli/src/main.js
#   mcp     node dist/apps/mcp/src/main.js (docs/users/mcp.md)
# For reproducible builds, set NODE_IMAGE by digest.
ARG NODE_IMAGE=node:24-bookworm-slim

# --- production dependencies. The only optional ones that the platform needs draw the pictures of reports (one package for each
# platform). Deleted: the Node package for development (the image has its own), msgpackr-extract, which only adds speed, and
# source maps and types of dependencies, which are half of the rest. One load of the programs proves that nothing is missing.
# `install --no-save` instead of `ci`, because `ci` refuses a lock file without the optional packages of this platform; both
# use the versions and hashes of the lock file.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm \
    npm install --no-save --no-audit --no-fund --omit=dev --include=optional \
    && rm -rf node_modules/node-linux-* node_modules/@msgpackr-extract node_modules/msgpackr-extract \
    && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
    && node -e "require('@resvg/resvg-js'); require('msgpackr')"

# --- build: swc is a development dependency with an optional binary package
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm \
    npm install --no-save --no-audit --no-fund --include=dev --include=optional
COPY nest-cli.json tsconfig.json .swcrc ./
COPY apps apps
COPY libs libs
COPY docs/reference/openapi.json docs/reference/openapi.json
RUN npm run build

# --- final image
FROM ${NODE_IMAGE} AS platform
LABEL org.opencontainers.image.title="outreach" \
      org.opencontainers.image.description="Self-hosted outreach email platform: api, worker, cli and mcp" \
      org.opencontainers.image.licenses="MIT"
# With these settings glibc returns freed memory; without them a process keeps about 15 MB of it.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
# Files belong to root: the process can read its code but not change it. It writes no files.
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# Liveness: the api answers on API_PORT, the worker on WORKER_PORT; a container runs one of them.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=2s --retries=3 \
    CMD ["node", "-e", "const { API_PORT = 3000, WORKER_PORT = 3001 } = process.env; Promise.any([API_PORT, WORKER_PORT].map(async (port) => { const answer = await fetch('http://127.0.0.1:' + port + '/health/live', { signal: AbortSignal.timeout(4000) }); if (!answer.ok) throw new Error(String(answer.status)); })).then(() => process.exit(0), () => process.exit(1))"]
# Without these limits V8 sizes its heap by the machine, and the api grows to 500 MB for 60 MB of live objects. The limits cost
# CPU (docs/operators/scaling.md, Sizes). The bench starts the api with the flags and MALLOC_ settings of this file.
CMD ["node", "--max-semi-space-size=8", "--max-old-space-size=384", "dist/apps/api/src/main.js"]
