import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type GmailBody, type GmailCall } from './gmail.client';

/** Maximum size of a message inside JSON; a larger one goes to the upload URL. */
const MAX_INLINE = 5 * 1024 * 1024;

/**
 * Sends a message to Gmail together with its metadata.
 * @param resource builds the resource from the message's fields: `{ message: fields }` for a draft
 */
export function createMessageUpload(
  raw: Buffer,
  fields: { readonly threadId?: string; readonly labelIds?: readonly string[] },
  resource: (fields: object) => object,
): Pick<GmailCall, 'json'> | Pick<GmailCall, 'body' | 'upload' | 'query'> {
  if (raw.length <= MAX_INLINE) return { json: resource({ ...fields, raw: raw.toString('base64url') }) };
  return { upload: true, query: { uploadType: 'multipart' }, body: multipart(raw, resource(fields)) };
}

/** multipart/related for Google's uploads: metadata first, then the message. */
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
