#!/bin/sh
# Creates the certificates of this folder again. They protect nothing: their keys are public. Loopback only.
set -eu
cd "$(dirname "$0")"
days=36500
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

key ca.key
openssl req -x509 -new -key ca.key -sha256 -days $days -out ca.crt -subj '/CN=Mail sandbox CA (loopback only)' \
  -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign'

key server.key
openssl req -new -key server.key -subj '/CN=localhost' -out server.csr
printf '%s\n' 'subjectAltName=DNS:localhost,DNS:sandbox.test,DNS:*.sandbox.test,DNS:*.prospects.test,IP:127.0.0.1,IP:::1' \
  'basicConstraints=CA:FALSE' 'keyUsage=digitalSignature' 'extendedKeyUsage=serverAuth' > server.ext
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days $days -sha256 -extfile server.ext -out server.crt

# Wrong in both ways that clients check: it is self-signed, and it is for another host.
key broken.key
openssl req -x509 -new -key broken.key -sha256 -days $days -out broken.crt -subj '/CN=somebody-else.example' \
  -addext 'subjectAltName=DNS:somebody-else.example'

# The CA's key is not stored, so that nothing else can be signed with a CA that tests trust.
rm -f server.csr server.ext ca.srl ca.key
