import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type GmailBody, type GmailCall } from './gmail.client';

/** Up to here a message travels inside the JSON; what is larger goes to the address for uploads. */
const MAX_INLINE = 5 * 1024 * 1024;

/**
 * How a message is given to Gmail together with its metadata.
 * @param resource makes the resource out of the message's fields: `{ message: fields }` for a draft
 */
export function createMessageUpload(
  raw: Buffer,
  fields: { readonly threadId?: string; readonly labelIds?: readonly string[] },
  resource: (fields: object) => object,
): Pick<GmailCall, 'json'> | Pick<GmailCall, 'body' | 'upload' | 'query'> {
  if (raw.length <= MAX_INLINE) return { json: resource({ ...fields, raw: raw.toString('base64url') }) };
  return { upload: true, query: { uploadType: 'multipart' }, body: multipart(raw, resource(fields)) };
}

/** multipart/related as Google's uploads want it: metadata first, then the message. */
function multipart(raw: Buffer, metadata: object): GmailBody {
  const boundary = randomBytes(24).toString('hex');
  const head = Buffer.from(
    `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n` +
      `--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/related; boundary=${boundary}`,
    length: head.length + raw.length + tail.length,
    content: () => Readable.from([head, raw, tail]),
  };
}
