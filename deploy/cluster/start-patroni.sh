#!/bin/sh
# Fills in the template of the configuration from the environment of the container.
set -eu
umask 077
sed -e "s/__NAME__/$NAME/g" -e "s/__ADDRESS__/$(hostname -i | cut -d' ' -f1)/g" -e "s/__ETCD__/$ETCD/g" -e "s#__NETWORK__#0.0.0.0/0#g" \
    -e "s/__SUPERUSER_PASSWORD__/$SUPERUSER_PASSWORD/g" -e "s/__REPLICATION_PASSWORD__/$REPLICATION_PASSWORD/g" \
    -e "s/__REWIND_PASSWORD__/$REWIND_PASSWORD/g" -e '/^watchdog:/,$d' /etc/patroni/template.yml > /var/lib/postgresql/patroni.yml
exec patroni /var/lib/postgresql/patroni.yml
