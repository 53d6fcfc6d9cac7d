import { loadBuilt } from './built.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median, quantile } from './statistics.mts';
import type { Stage } from './subjects.mts';

/** The measured functions, as deployed. */
interface Classifier {
  parseMail(raw: Uint8Array): Promise<unknown>;
  classify(mail: unknown, classifyAutoReply: (mail: unknown) => unknown): { verdict: string };
  classifyAutoReply(mail: unknown): unknown;
}

const MEGABYTE = 1_000_000;
const WARM_UP = 30;
const RUNS = 40;

const DAEMON = 'From: MAILER-DAEMON@mx.test\nTo: me@us.test\nSubject: Undelivered Mail Returned to Sender\n';
const PARTS = `${DAEMON}Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n`;

/** One megabyte each: ordinary mail of that size, and hostile mail. */
const MAILS: Record<string, () => string> = {
  'bounce with an attachment': () => `${PARTS}--b\n\n<a@b.test>: 550 5.1.1 User unknown\n${attached(MEGABYTE)}--b--\n`,
  'reply with an attachment': () =>
    `From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHi\n${attached(MEGABYTE)}`,
  'long text': () =>
    `From: a@b.test\nSubject: Re: x\n\n${repeated('The user of that mailbox wrote about the address of a domain.\n')}`,
  'short lines': () => `${DAEMON}\n${repeated('user\n')}`,
  'soft breaks': () =>
    `${DAEMON}Content-Type: text/plain; format=flowed\nContent-Transfer-Encoding: 7bit\n\n${repeated(' user \n')}`,
  'one line': () => `${DAEMON}\n${repeated('mailbox recipient ')}`,
  addresses: () => `${DAEMON}\n${repeated('<ada@acme.test>:\nuser\n')}`,
  'many recipients': () =>
    `${PARTS}--b\nContent-Type: message/delivery-status\n\n${repeated('Final-Recipient: rfc822; a@b.test\nAction: failed\nDiagnostic-Code: smtp; 550 user mailbox\n\n')}`,
  'many parts': () => `${PARTS}${repeated('--b\nContent-Type: text/plain\n\nhi\n')}`,
  boundaries: () => `${PARTS}${repeated('--b\n')}`,
  'nested parts': () =>
    `${DAEMON}${Array.from({ length: 20_000 }, (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\n\n--b${at}\n`).join('')}`,
  'nested messages': () => `${DAEMON}${repeated('Content-Type: message/rfc822\n\n')}`,
  '10 000 headers': () =>
    `${DAEMON}${Array.from({ length: 10_000 }, (_, at) => `X-${at}: ${'v'.repeat(90)}\n`).join('')}\nhi`,
  'one header': () => `${DAEMON}X: ${repeated('=?utf-8?q?a?= ')}\n\nhi`,
  HTML: () => `${DAEMON}Content-Type: text/html\n\n${repeated('<div><b>x</b>&nbsp;</div>\n')}`,
  'open tags': () => `${DAEMON}Content-Type: text/html\n\n${repeated('<')}`,
  Chinese: () => `${DAEMON}Content-Type: text/plain; charset=utf-8\n\n${repeated('收件人邮箱地址\n')}`,
};

/** Reads and classifies mails of 1 MB of each kind. The goal counts the CPU time of the thread, without other processes. */
export async function classification({ rounds }: Stage): Promise<Goal[]> {
  heading('Classifying a mail of 1 MB: reading, rules, auto-reply; time, and CPU of the thread');
  const { parseMail, classify, classifyAutoReply } = loadBuilt<Classifier>(
    'parseMail',
    'classify',
    'classifyAutoReply',
  );
  const tails: number[] = [];
  for (const [name, mail] of Object.entries(MAILS)) {
    const raw = Buffer.from(mail());
    const run = async (): Promise<string> => classify(await parseMail(raw), classifyAutoReply).verdict;
    for (let time = 0; time < WARM_UP; time++) await run();
    const times: number[] = [];
    const busy: number[] = [];
    let verdict = '';
    for (let time = 0; time < RUNS * rounds; time++) {
      const [started, before] = [performance.now(), process.threadCpuUsage()];
      verdict = await run();
      const { user, system } = process.threadCpuUsage(before);
      times.push(performance.now() - started);
      busy.push((user + system) / 1_000);
    }
    const tail = quantile(busy, 0.99);
    tails.push(tail);
    const numbers = `${median(times).toFixed(1).padStart(5)} ms   CPU p99 ${tail.toFixed(1).padStart(5)} ms`;
    console.log(`  ${name.padEnd(28)} ${numbers}   ${verdict}`);
  }
  return showGoals([
    { what: 'CPU of the slowest kind of mail, p99', value: Math.max(...tails), bound: { below: 50 }, unit: ' ms' },
  ]);
}

function repeated(text: string): string {
  return text.repeat(Math.ceil(MEGABYTE / Buffer.byteLength(text)));
}

function attached(bytes: number): string {
  return `--b\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n${`${'QUJD'.repeat(19)}\n`.repeat(bytes / 77)}`;
}
