# The contract checks in a container: docker build -t contract . && docker run --rm --read-only \
#   --tmpfs /tmp -v "$PWD/reports:/reports" --env-file contract.env contract
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The clone itself stays outside: --build-arg SUITE_COMMIT=$(git rev-parse HEAD) names the commit.
ARG SUITE_COMMIT
RUN npm pack --pack-destination /build/packed
RUN mkdir /suite && cd /suite && npm init -y && npm install --ignore-scripts --no-audit --no-fund /build/packed/*.tgz

FROM node:24-slim
ENV NODE_ENV=production REPORTS_DIR=/reports JOURNAL_DIR=/reports/journal MALLOC_ARENA_MAX=2
COPY --from=build /suite /suite
RUN mkdir /reports && chown node:node /reports
USER node
WORKDIR /reports
VOLUME /reports
# node itself, and no shell and no npm: a signal reaches the run, which puts tasks back.
ENTRYPOINT ["node", "/suite/node_modules/task-assignment-contract/bin/task-assignment-contract.cjs"]
CMD ["check"]
