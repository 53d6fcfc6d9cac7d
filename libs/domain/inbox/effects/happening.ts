import { type EventSubject } from '@domain/events';
import { aboutSend, sendData } from '@domain/tracking';
import { type KnownMatch } from '../intake/incoming';

/** Which lead an event is about, and which email where that is known. */
export function aboutOf({ lead, send }: KnownMatch): EventSubject {
  if (send) return aboutSend(send);
  const about = { campaignId: lead.campaignId.toHexString(), leadId: lead._id.toHexString() };
  return lead.mailboxId ? { ...about, mailboxId: lead.mailboxId.toHexString() } : about;
}

/** What every event about an email says. */
export function emailData({ lead, send }: KnownMatch): Record<string, unknown> {
  return send ? { ...sendData(send), email: lead.email } : { email: lead.email };
}
