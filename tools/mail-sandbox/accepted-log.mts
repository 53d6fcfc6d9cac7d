import { open, type FileHandle } from 'node:fs/promises';
import type { Placement } from './placement.mts';

/** One line of `accepted.jsonl`: a message for which this server has taken responsibility. */
export interface AcceptedMail {
  /** ISO time of acceptance. */
  time: string;
  /** The id in the server's 250 reply and in the web view. */
  queueId: string;
  /** The user of the SMTP login. */
  user: string;
  /** Envelope, lower case; an empty sender is the null sender. */
  from: string;
  to: string[];
  messageId: string;
  subject: string;
  /** Bytes. */
  size: number;
  /** False when the sender received no 250, because a misbehaviour withheld it. */
  answered: boolean;
  /** Recipients whose copy is not in the inbox, each with its placement. */
  placed: Record<string, Exclude<Placement, 'inbox'>>;
}

/** The file operations that the log needs: tests replace them by slow ones. */
export type LogFile = Pick<FileHandle, 'appendFile' | 'datasync' | 'close'>;

/**
 * An append-only log, durable before `append` resolves. Group commit: all lines that arrived during a write are
 * written and synced together.
 */
export class AcceptedLog {
  readonly #file: LogFile;
  #waiting: { line: string; done: () => void; failed: (error: unknown) => void }[] = [];
  #writing: Promise<void> | undefined;

  constructor(file: LogFile) {
    this.#file = file;
  }

  static async open(path: string): Promise<AcceptedLog> {
    const file = await open(path, 'a+');
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    // A line truncated by a crash must not swallow the next one.
    if (size > 0 && last.toString() !== '\n') await file.appendFile('\n');
    return new AcceptedLog(file);
  }

  /** Resolves when the line is on disk. */
  append(mail: AcceptedMail): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ line: `${JSON.stringify(mail)}\n`, done, failed });
      this.#writing ??= this.#drain();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0);
      try {
        await this.#file.appendFile(group.map(({ line }) => line).join(''));
        // The size changes with every append, so this flushes as much as fsync, except for the access time.
        await this.#file.datasync();
        for (const { done } of group) done();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    this.#writing = undefined;
  }
}

/** Reads the content of a log file; lines truncated by a crash are skipped. */
export function parseAccepted(text: string): AcceptedMail[] {
  const mails: AcceptedMail[] = [];
  for (const line of text.split('\n')) {
    try {
      // Earlier versions placed everything in the inbox and did not record it.
      mails.push({ placed: {}, ...(JSON.parse(line) as Omit<AcceptedMail, 'placed'>) });
    } catch {
      // Empty or truncated.
    }
  }
  return mails;
}
