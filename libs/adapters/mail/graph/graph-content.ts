import { type Readable } from 'node:stream';
import { type MessageRef } from '../port/changes';
import { type Attachment, type AttachmentContent } from '../port/session';
import { type GraphClient, type GraphRequest } from './graph.client';
import { GraphError } from './graph.errors';
import { getQuery } from './graph-links';

interface GraphAttachment {
  readonly '@odata.type'?: string;
  readonly id: string;
  readonly name?: string | null;
  readonly contentType?: string | null;
  readonly size?: number | null;
}

const MAX_PAGES = 10;

/** The bytes of messages and attachments. */
export class GraphContent {
  constructor(private readonly client: GraphClient) {}

  async raw({ id }: MessageRef, maxBytes: number): Promise<Buffer> {
    const stream = await this.client.stream(
      download(`/me/messages/${encodeURIComponent(id)}/$value`, 'GET /messages/{id}/$value'),
    );
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop destroys the stream, so the remaining data is not fetched.
      if (size > maxBytes) throw createPermanentError(`The message is larger than ${maxBytes} bytes`);
    }
    return Buffer.concat(chunks);
  }

  async attachments(ref: MessageRef): Promise<readonly Attachment[]> {
    return (await this.#listed(ref)).map((attachment, index) => toAttachment(attachment, index));
  }

  async attachment(ref: MessageRef, index: number): Promise<AttachmentContent> {
    const found = (await this.#listed(ref))[index];
    if (!found) throw createPermanentError('The message has no such attachment');
    const path = `${toAttachments(ref)}/${encodeURIComponent(found.id)}/$value`;
    const content: Readable = await this.client.stream(download(path, 'GET /attachments/{id}/$value'));
    return { ...toAttachment(found, index), content };
  }

  /**
   * Files, and whole messages (item attachments, whose bytes are their MIME form). A reference attachment is skipped: it is a link to a
   * cloud file, and Graph refuses to return its bytes (405).
   */
  async #listed(ref: MessageRef): Promise<GraphAttachment[]> {
    const path = toAttachments(ref) + getQuery({ $select: 'id,name,contentType,size' });
    const all: GraphAttachment[] = [];
    for await (const page of this.client.pages<GraphAttachment>(path, 'GET /attachments', MAX_PAGES)) all.push(...page);
    return all.filter(({ '@odata.type': type }) => type !== '#microsoft.graph.referenceAttachment');
  }
}

function toAttachments({ id }: MessageRef): string {
  return `/me/messages/${encodeURIComponent(id)}/attachments`;
}

function toAttachment(attachment: GraphAttachment, index: number): Attachment {
  const isItem = attachment['@odata.type'] === '#microsoft.graph.itemAttachment';
  return {
    index,
    name: attachment.name ?? '',
    contentType: (attachment.contentType || null) ?? (isItem ? 'message/rfc822' : 'application/octet-stream'),
    size: attachment.size ?? 0,
  };
}

function download(path: string, command: string): GraphRequest {
  return { method: 'GET', path, command, repeatable: true };
}

function createPermanentError(message: string): GraphError {
  return new GraphError({ failure: 'permanent', stage: 'request', message });
}
