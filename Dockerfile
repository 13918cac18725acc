# One node of the service, as a person without rights on a file system that nobody writes.
# Not built by us: no Docker engine was at hand. test/operar hold what can be
# held without one: they read this file, run its npm line, copy what it copies and start what it starts.
#
# Pin the image that you tested by its digest, which we could not look up:
#   docker buildx imagetools inspect node:24.21.0-bookworm-slim
#   docker build --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… .
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS pacotes
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
# The image has its own Node 24: the one that npm brings (190 MB) is optional, and stays out.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/dados \
    NODE_COMPILE_CACHE=/tmp/node-compile-cache
WORKDIR /app
COPY --from=pacotes /app/ ./
COPY bin/ bin/
COPY data/ data/
COPY deploy/base-do-mes.sh deploy/
COPY docs/ docs/
COPY clients/ clients/
COPY simulator/ simulator/
COPY src/ src/
# A new volume takes the owner and the mode of the folder that it is mounted on.
RUN install -d -o node -g node -m 0700 /dados /dados/cnpj
USER node
VOLUME /dados
EXPOSE 8080
STOPSIGNAL SIGTERM
# Whether the process answers. That the database is there is /ready, which the proxy asks: to restart all
# nodes because the database is away would help nobody.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No shell between the system and the service: a signal reaches it.
CMD ["node", "bin/servidor.js"]
