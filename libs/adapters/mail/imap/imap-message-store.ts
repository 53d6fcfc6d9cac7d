import { type MessageRef } from '../port/changes';
import { MailError } from '../port/mail.errors';
import { toAtom, type ImapCommands, toPeekItem, toTextToken } from './imap-commands';
import { getMailError } from './imap.errors';
import { SUMMARY_BYTES, getImapSummary } from './imap-summary';

/** The FETCH item for the Message-ID. */
export const ID_HEADER = toPeekItem([toAtom('HEADER.FIELDS'), [toAtom('MESSAGE-ID')]], 0, SUMMARY_BYTES);

/** Moves and stores messages, and returns their new references. */
export class ImapMessageStore {
  /** Moves a message of the selected folder. */
  async move(imap: ImapCommands, uid: number, folder: string): Promise<MessageRef> {
    const message = await imap.fetchOne(uid, [toAtom('UID'), ID_HEADER]);
    if (!message)
      throw new MailError({ failure: 'permanent', stage: 'request', message: 'The message no longer exists' });
    const from = imap.client.mailbox ? imap.client.mailbox.path : '';
    const before = imap.has('UIDPLUS') ? null : await lastUid(imap, folder, from);
    imap.committed = true;
    const copy = imap.has('MOVE')
      ? await imap.moveOrCopy('UID MOVE', uid, folder)
      : await copyAndDelete(imap, uid, folder);
    if (copy !== null) return { folder, id: copy };
    return this.#find(imap, folder, before, message.headers);
  }

  async append(imap: ImapCommands, folder: string, raw: Buffer, flags: readonly string[]): Promise<MessageRef> {
    const before = imap.has('UIDPLUS') ? null : await lastUid(imap, folder, null);
    imap.committed = true;
    const stored = await imap.append(folder, raw, flags);
    if (stored !== null) return { folder, id: stored };
    const end = raw.indexOf('\r\n\r\n');
    return this.#find(imap, folder, before, raw.subarray(0, end < 0 ? SUMMARY_BYTES : end + 2));
  }

  /** Without UIDPLUS: the newest message with this Message-ID, or the newest of all later ones. */
  async #find(
    imap: ImapCommands,
    folder: string,
    after: number | null,
    headers: Buffer | undefined,
  ): Promise<MessageRef> {
    const { messageId } = await getImapSummary(headers ?? Buffer.alloc(0));
    const box = await imap.select(folder, 'read');
    const newer = [toAtom('UID'), { type: 'SEQUENCE', value: `${(after ?? 0) + 1}:*` }];
    const same = messageId === null ? [] : [toAtom('HEADER'), toAtom('MESSAGE-ID'), toTextToken(messageId)];
    const found = (await imap.search([...newer, ...same])) ?? [];
    // `n:*` names the last message even when n is above it.
    const uid = found.findLast((one) => one > (after ?? 0));
    if (uid !== undefined) return { folder, id: `${box.uidValidity}:${uid}` };
    throw new MailError({
      failure: 'ambiguous',
      stage: 'request',
      message: 'The message was accepted, but the server does not return it in its new folder',
    });
  }
}

/** For servers without MOVE (RFC 6851). */
async function copyAndDelete(imap: ImapCommands, uid: number, folder: string): Promise<string | null> {
  const copy = await imap.moveOrCopy('UID COPY', uid, folder);
  try {
    await remove(imap, uid);
  } catch (error) {
    const { lastReply } = getMailError(error, { stage: 'request', command: imap.command });
    const message = 'The message was copied to its new folder but could not be removed from the old one';
    throw new MailError({ failure: 'ambiguous', stage: 'request', message, lastReply });
  }
  return copy;
}

async function remove(imap: ImapCommands, uid: number): Promise<void> {
  await imap.store(uid, '+FLAGS.SILENT', '\\Deleted');
  if (imap.has('UIDPLUS')) return imap.expunge(uid);
  // Plain EXPUNGE would remove messages marked by other programs too, so ours stays marked.
  const marked = await imap.search([toAtom('DELETED')]);
  if (marked?.length === 1 && marked[0] === uid) await imap.run('EXPUNGE', []);
}

/** The last assigned UID of a folder; the selected folder is left only briefly. */
async function lastUid(imap: ImapCommands, folder: string, selected: string | null): Promise<number> {
  const { uidNext } = await imap.select(folder, 'read');
  const last = uidNext === null ? ((await imap.search([toAtom('ALL')]))?.at(-1) ?? 0) : uidNext - 1;
  if (selected !== null) await imap.select(selected, 'write');
  return last;
}
