# topograph with its Python and its Java; see docs/containers.md. Nothing is fetched when it runs.
#   docker build -t topograph .
#   docker run --rm --init --network none -v "$PWD:/estate" topograph import configuration
# BASE is a Debian 12 (the last one with Java 17, which Neo4j 5.26 and Spark share), also one of your own with your certificates.
ARG BASE=debian:12-slim

FROM ${BASE} AS build
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates python3-venv \
    && rm -rf /var/lib/apt/lists/*
ARG PIP_INDEX_URL
ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_RETRIES=10
WORKDIR /build
COPY requirements/lock.txt requirements/
# Everything that is fetched has its hash in the lock, what builds the others included. That is more than topograph needs to run (the
# lock holds what tests need too), so the second environment takes from these wheels what topograph itself asks for, and nothing else.
RUN python3 -m venv tools \
    && awk '/^[^ ]/ { wanted = /^setuptools==/ } wanted' requirements/lock.txt >requirements/tools.txt \
    && tools/bin/pip install --require-hashes -r requirements/tools.txt \
    && tools/bin/pip wheel --no-build-isolation --use-pep517 --require-hashes -r requirements/lock.txt -w wheels
COPY . source
RUN tools/bin/pip wheel --no-build-isolation --no-deps --no-index ./source -w wheels \
    && python3 -m venv --without-pip /opt/topograph \
    && tools/bin/pip --python /opt/topograph/bin/python install --no-index --find-links wheels "topograph[all]" \
    && tools/bin/pip --python /opt/topograph/bin/python check

FROM ${BASE}
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends openjdk-17-jre-headless python3 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 1000 topograph \
    && useradd --uid 1000 --gid topograph --create-home topograph \
    && install -d -o topograph -g topograph /estate /var/lib/topograph
COPY --from=build /opt/topograph /opt/topograph
ENV PATH=/opt/topograph/bin:$PATH LANG=C.UTF-8 TOPOGRAPH_HOME=/var/lib/topograph
USER topograph
# The managed Neo4j, its password and jars, and reports of internal errors. Snapshots go to the mounted /estate.
VOLUME ["/var/lib/topograph"]
WORKDIR /estate
ENTRYPOINT ["topograph"]
CMD ["--help"]
