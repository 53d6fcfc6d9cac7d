import { type CampaignRecord, type PublishedSequence, renderTemplate, type TemplateNeed } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { type MailboxFacts } from '@domain/mailboxes';
import { toMessageId } from '@domain/sends';
import { type TrackingUrls } from '@domain/tracking';
import { Types } from 'mongoose';
import { type EmailFacts, renderEmail } from '../render/email-content';
import { spinSeed } from '../render/claim-rendering';
import { type EmailThread } from '../render/email-thread';
import { emailVariables, type LeadValues } from '../render/email-variables';
import { getNames } from '../render/missing-value-message';
import { type ChosenEmail, threadStarter, usualVariant } from './email-choice';
import { sampleLead } from './sample-lead';

/** The input of a test email. */
export interface TestEmailFacts {
  readonly campaign: Pick<CampaignRecord, 'includeUnsubscribeLink'>;
  readonly sequence: PublishedSequence;
  readonly chosen: ChosenEmail;
  /** Null for a sample lead. */
  readonly lead: LeadRecord | null;
  readonly mailbox: Pick<MailboxFacts, 'email' | 'displayName' | 'signature'>;
  readonly urls: Pick<TrackingUrls, 'open' | 'click' | 'honeypot' | 'unsubscribe'>;
  readonly date: Date;
}

export interface TestEmail {
  readonly input: Extract<ReturnType<typeof renderEmail>, { ok: true }>['input'];
  readonly subject: string;
  /** Placeholders with neither a default nor a valid value; the email shows their names. */
  readonly missing: readonly TemplateNeed[];
}

const SAMPLE_LEAD = 'sample';

/**
 * Renders the email as the engine would, but without tracking. Its unsubscribe links belong to a send that does not
 * exist, so they unsubscribe no address.
 */
export function renderTestEmail(facts: TestEmailFacts): TestEmail {
  const { lead, sequence, chosen } = facts;
  const { subject, body } = sequence.templates(chosen.variant._id);
  const values = lead ?? sampleLead([subject, body, ...starterTemplates(facts)]);
  const email = emailFacts(facts, values);
  const rendered = renderEmail(email);
  if (rendered.ok) return { input: rendered.input, subject: rendered.subject, missing: [] };
  const shown = renderEmail({ ...email, standIns: true });
  if (!shown.ok) throw new Error(`Placeholders have no value: ${getNames(shown.missing).join(', ')}`);
  return { input: shown.input, subject: shown.subject, missing: rendered.missing };
}

function emailFacts(facts: TestEmailFacts, lead: LeadValues): EmailFacts {
  const { campaign, sequence, chosen, mailbox, urls, date } = facts;
  const sendId = new Types.ObjectId().toHexString();
  const { includeUnsubscribeLink } = campaign;
  return {
    step: sequence.templates(chosen.variant._id),
    lead,
    mailbox,
    settings: { trackOpens: false, trackClicks: false, includeUnsubscribeLink },
    thread: getThread(facts, lead),
    ids: { sendId, messageId: toMessageId(sendId, mailbox.email) },
    urls,
    date,
    seed: spinSeed(getLeadId(facts), String(chosen.variant._id)),
  };
}

/**
 * Returns the lead's own thread; else, for an email within a thread, the thread as the email before would have left it.
 */
function getThread(facts: TestEmailFacts, lead: LeadValues): EmailThread {
  if (facts.lead?.thread) return facts.lead.thread;
  const [template, seed] = starter(facts) ?? [];
  if (!template || seed === undefined) return { messageIds: [], subject: null };
  const { mailbox } = facts;
  const valueOf = emailVariables(lead, { ...mailbox, unsubscribeUrl: '', signature: () => '' });
  const rendered = renderTemplate(template, valueOf, `${seed} subject`, { standIns: true });
  const subject = rendered.ok ? rendered.text : null;
  return { messageIds: [toMessageId(new Types.ObjectId().toHexString(), mailbox.email)], subject };
}

function starterTemplates(facts: TestEmailFacts) {
  const [template] = starter(facts) ?? [];
  return template ? [template] : [];
}

/** The subject that began the thread, and the seed of its spins. */
function starter(facts: TestEmailFacts) {
  const { sequence, chosen } = facts;
  const step = threadStarter(sequence, chosen);
  if (!step) return null;
  const { _id } = usualVariant(step, facts.lead?._id.toHexString() ?? null);
  return [sequence.templates(_id).subject, spinSeed(getLeadId(facts), String(_id))] as const;
}

function getLeadId({ lead }: TestEmailFacts): string {
  return lead?._id.toHexString() ?? SAMPLE_LEAD;
}
