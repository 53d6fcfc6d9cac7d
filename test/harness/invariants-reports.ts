import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { acceptedFrom, type AcceptedMail, groupedBy, type Observed } from './invariants-facts';

interface ReportState {
  readonly _id: unknown;
  readonly recipientId: unknown;
  readonly key: string;
  readonly email: string;
  readonly state: string;
  readonly reason: string | null;
  readonly messageId: string | null;
}

/** Stored records of reports to people. */
export interface ReportsFacts {
  readonly reports: readonly ReportState[];
  readonly recipients: readonly { readonly _id: unknown; readonly totalReportsSent: number }[];
  /** All mail of their senders. */
  readonly accepted: readonly Pick<AcceptedMail, 'messageId' | 'to'>[];
}

const OPEN: ReadonlySet<string> = new Set(['planned', 'sending']);
/** States in which a server may have the message. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(['sending', 'sent', 'unknown']);

/**
 * Reads directly from the database.
 * @param operator the address of the operator's server for reports, if there is one
 */
export async function reportsFacts({ app }: Observed, workspaceId: string, operator?: string): Promise<ReportsFacts> {
  const connection = app.get<Connection>(getConnectionToken());
  const all = <T>(name: string) =>
    connection
      .collection(name)
      .find({ workspaceId: new Types.ObjectId(workspaceId) })
      .toArray() as unknown as Promise<T[]>;
  const mailboxes = await all<{ email: string }>('mailboxes');
  const senders = new Set([...mailboxes.map(({ email }) => email), ...(operator === undefined ? [] : [operator])]);
  return {
    reports: await all('reports'),
    recipients: await all('report_recipients'),
    accepted: await acceptedFrom(senders),
  };
}

/**
 * 1, 2 and 3 for reports: one for each recipient and period, submitted once, `sent` if and only if a server has it, and
 * then counted.
 */
export function* reportsSentOnce(
  { reports, recipients, accepted }: ReportsFacts,
  { settled }: { settled: boolean },
): Generator<string> {
  for (const [name, same] of groupedBy(reports, ({ recipientId, key }) => `${String(recipientId)}, ${key}`)) {
    if (same.length > 1) yield `1: ${same.length} reports of one recipient and period: ${name}`;
  }
  for (const { _id, state, messageId, email, reason } of reports) {
    const name = `report ${String(_id)} to ${email}, ${state}`;
    const mails = messageId === null ? [] : accepted.filter((mail) => mail.messageId === messageId);
    if (mails.length > 1) yield `1: accepted ${mails.length} times: ${name}`;
    if (mails.some(({ to }) => to.join() !== email)) yield `1: accepted for another person: ${name}`;
    if (state === 'sent' && mails.length === 0) yield `2: the server never accepted it: ${name}`;
    if (!MAY_BE_THERE.has(state) && mails.length > 0) yield `2: the server has accepted it: ${name}`;
    if (state === 'unknown' && !reason) yield `2: uncertain without a reason: ${name}`;
    if (settled && OPEN.has(state)) yield `2: not in a final state: ${name}`;
  }
  const sent = groupedBy(
    reports.filter(({ state }) => state === 'sent'),
    ({ recipientId }) => String(recipientId),
  );
  for (const { _id, totalReportsSent } of recipients) {
    const count = sent.get(String(_id))?.length ?? 0;
    if (totalReportsSent !== count) yield `3: recipient ${String(_id)} counts ${totalReportsSent} reports of ${count}`;
  }
}
