import { Readable } from 'node:stream';
import { type MessageRef } from '../port/changes';
import { MailError } from '../port/mail.errors';
import { type Attachment, type AttachmentContent } from '../port/session';
import { base64Field } from './base64-field';
import { type GmailAnswer, type GmailCall, type GmailClient } from './gmail.client';
import { type GmailMessage, type GmailPart } from './gmail-resources';

/** Maximum depth of parts: a hostile message nests thousands. */
const MAX_DEPTH = 50;
const MAX_PARTS = 1_000;

/** Reads the content of a message. */
export class GmailContent {
  constructor(private readonly client: GmailClient) {}

  async raw({ id }: MessageRef, maxBytes: number): Promise<Buffer> {
    const call: GmailCall = { method: 'GET', path: 'messages/{}', ids: [id], query: { format: 'raw' } };
    const { sizeEstimate = 0 } = await this.client.json<GmailMessage>({ ...call, query: { format: 'minimal' } });
    if (sizeEstimate > maxBytes) throw createTooLargeError(maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.#decoded(await this.client.open(call), call, 'raw')) {
      size += chunk.length;
      // The stated size is an estimate.
      if (size > maxBytes) throw createTooLargeError(maxBytes);
      chunks.push(chunk);
    }
    if (size === 0) throw createPermanentError('Gmail does not return the message');
    return Buffer.concat(chunks);
  }

  async attachments(ref: MessageRef): Promise<readonly Attachment[]> {
    return (await this.#parts(ref)).map(toAttachment);
  }

  async attachment(ref: MessageRef, index: number): Promise<AttachmentContent> {
    const part = (await this.#parts(ref))[index];
    if (!part) throw createPermanentError('The message has no such attachment');
    const attachment = toAttachment(part, index);
    const { attachmentId, data = '' } = part.body ?? {};
    if (attachmentId === undefined) return { ...attachment, content: Readable.from([Buffer.from(data, 'base64url')]) };
    // Attachment ids change with each read, so this one is used at once.
    const call: GmailCall = { method: 'GET', path: 'messages/{}/attachments/{}', ids: [ref.id, attachmentId] };
    const answer = await this.client.open(call);
    const content = Readable.from(this.#decoded(answer, call, 'data'), { objectMode: false });
    content.once('close', () => answer.body.destroy()); // Applies before the first read too.
    return { ...attachment, content };
  }

  async #parts({ id }: MessageRef): Promise<GmailPart[]> {
    const call = { method: 'GET', path: 'messages/{}', ids: [id], query: { format: 'full' } } as const;
    const { payload } = await this.client.json<GmailMessage>(call);
    return payload ? listAttachmentParts(payload) : [];
  }

  async *#decoded(answer: GmailAnswer, call: GmailCall, field: string): AsyncGenerator<Buffer> {
    try {
      yield* base64Field(answer.body, field);
    } catch (error) {
      throw this.client.toUnanswered(error, call);
    }
  }
}

/** The parts that mail programs show as attachments, in order. */
export function listAttachmentParts(payload: GmailPart): GmailPart[] {
  const found: GmailPart[] = [];
  const walk = (part: GmailPart, depth: number): void => {
    if (found.length >= MAX_PARTS || depth > MAX_DEPTH) return;
    if (isAttachment(part)) found.push(part);
    // The parts of an attached message are in its own bytes.
    else for (const inner of part.parts ?? []) walk(inner, depth + 1);
  };
  walk(payload, 0);
  return found;
}

function isAttachment(part: GmailPart): boolean {
  const type = part.mimeType?.toLowerCase() ?? 'text/plain';
  if (type.startsWith('multipart/')) return false;
  if (part.filename) return true;
  const disposition = part.headers?.find(({ name }) => name?.toLowerCase() === 'content-disposition')?.value ?? '';
  if (/^\s*attachment\b/i.test(disposition)) return true;
  return type !== 'text/plain' && type !== 'text/html';
}

function toAttachment({ filename = '', mimeType, body }: GmailPart, index: number): Attachment {
  return {
    index,
    name: filename,
    contentType: mimeType?.toLowerCase() || 'application/octet-stream',
    size: body?.size ?? 0,
  };
}

function createTooLargeError(maxBytes: number): MailError {
  return createPermanentError(`The message is larger than ${maxBytes} bytes`);
}

function createPermanentError(message: string): MailError {
  return new MailError({ failure: 'permanent', stage: 'request', message });
}
