# `call POST campaigns '{"name": "First"}'` makes a request, `pick ._id` takes something out of its answer.
call() {
  curl -sS -X "$1" "$API/v1/$2" -H "X-Api-Key: $KEY" -H "Authorization: Bearer $KEY" \
    -H 'Content-Type: application/json' -w '\n' ${3:+-d "$3"}
}
pick() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).data$1"; }
