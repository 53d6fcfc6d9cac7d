import { type Attachment } from '../port/session';
import { type Structure } from './imap-commands';

/** An attachment and its position. */
export interface AttachmentPart extends Attachment {
  /** MIME part number for FETCH: `2.1`. */
  readonly part: string;
  /** Content-Transfer-Encoding, lower case. */
  readonly encoding: string;
}

/** Limit of nested parts, because hostile mail can nest very deeply. */
const DEEPEST = 50;

/**
 * The attachments of a message in order: all parts that are neither containers nor readable text (`text/plain` and `text/html` that are not
 * marked as attachment and have no name). An attached message is one attachment, including its own parts.
 */
export function getAttachments(structure: Structure): AttachmentPart[] {
  return listLeaves(structure, 0)
    .filter(isAttachment)
    .map((leaf, index) => {
      const encoding = (leaf.encoding ?? '').trim().toLowerCase();
      return {
        index,
        name: getFilename(leaf),
        contentType: leaf.type || 'application/octet-stream',
        size: getDecodedSize(leaf.size ?? 0, encoding),
        part: leaf.part ?? '1',
        encoding,
      };
    });
}

function listLeaves(node: Structure, depth: number): Structure[] {
  if (isMessage(node) || !node.childNodes) return [node];
  return depth > DEEPEST ? [] : node.childNodes.flatMap((child) => listLeaves(child, depth + 1));
}

function isMessage({ type }: Structure): boolean {
  return type === 'message/rfc822' || type === 'message/global';
}

function isAttachment(leaf: Structure): boolean {
  if (leaf.type.startsWith('multipart/')) return false;
  if (leaf.disposition === 'attachment' || getFilename(leaf) !== '') return true;
  return leaf.type !== 'text/plain' && leaf.type !== 'text/html' && leaf.type !== '/';
}

function getFilename({ dispositionParameters, parameters }: Structure): string {
  const name = dispositionParameters?.['filename'] ?? parameters?.['name'] ?? '';
  return name.toWellFormed().replaceAll(/\p{Cc}/gu, '');
}

/** Base64 with lines of 76 characters needs 78 bytes for 57. */
function getDecodedSize(size: number, encoding: string): number {
  return encoding === 'base64' ? Math.round((size * 57) / 78) : size;
}
