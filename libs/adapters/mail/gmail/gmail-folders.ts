import { type MailFolder } from '../port/folder';
import { parseFolderName, findFolder } from '../port/folder-name';
import { MailError } from '../port/mail.errors';
import { type GmailClient } from './gmail.client';
import { isConflict } from './gmail-failures';
import { toFolders, getOwnFolder } from './gmail-labels';
import { type GmailLabel, type GmailLabels } from './gmail-resources';

/** The hierarchy separator: Gmail shows the label `a/b` below `a`. */
const SEPARATOR = '/';

/** The folders of a mailbox: Gmail's system folders and the user's labels. */
export class GmailFolders {
  constructor(private readonly client: GmailClient) {}

  async list(): Promise<readonly MailFolder[]> {
    return toFolders(await this.client.json<GmailLabels>({ method: 'GET', path: 'labels' }));
  }

  async ensure(input: string): Promise<MailFolder> {
    const name = parseFolderName(input, SEPARATOR);
    return findFolder(await this.list(), name) ?? this.#create(name);
  }

  async #create(name: string): Promise<MailFolder> {
    const json = { name, labelListVisibility: 'labelShow', messageListVisibility: 'show' };
    let conflict: MailError;
    try {
      // A repeated request only causes a conflict.
      const made = getOwnFolder(await this.client.json<GmailLabel>({ method: 'POST', path: 'labels', json }));
      if (made) return made;
      throw new MailError({ failure: 'temporary', stage: 'request', message: 'Gmail made a label without an id' });
    } catch (error) {
      if (!isConflict(error)) throw error;
      conflict = error;
    }
    const other = findFolder(await this.list(), name);
    if (other) return other;
    // "exists or conflicts": Gmail does not name the conflict, and a retry would fail again.
    const { stage, message, lastReply } = conflict;
    throw new MailError({ failure: 'permanent', stage, message, lastReply }, conflict);
  }
}
