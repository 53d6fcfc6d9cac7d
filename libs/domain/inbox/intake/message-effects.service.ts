import { LeadRepository } from '@domain/leads';
import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { getCompanyDomain, isFreeMail } from '@platform/validation';
import { type Types } from 'mongoose';
import { type AddedMessage } from '../conversations/conversation.repository';
import { BounceEffectService } from '../effects/bounce-effect.service';
import { isOptOut, LabelEffectService } from '../effects/label-effect.service';
import { getEmailData } from '../effects/lead-event-data';
import { LeadEventRecorderService } from '../effects/lead-event-recorder.service';
import { getResumeTime } from '../effects/out-of-office-resume';
import { labelAnswer } from '../label/label-answer';
import { type Labelled } from '../label/label-by-rules';
import { type KnownMatch } from '../match/match';
import { type ClassifiedMessage } from './classified-message';
import { ConversationEntryService } from './conversation-entry.service';
import { type Answer, type Incoming } from './incoming';
import { type IntakeTask } from './intake-tasks';

const SPAM_REPORT = 'The email was reported as spam';

/**
 * Applies the effects of a message: its conversation, lead, counters and events. Joins the running transaction; the returned
 * tasks are performed after it.
 */
@Injectable()
export class MessageEffectsService {
  constructor(
    private readonly entries: ConversationEntryService,
    private readonly bounces: BounceEffectService,
    private readonly labels: LabelEffectService,
    private readonly recorder: LeadEventRecorderService,
    private readonly leads: LeadRepository,
    private readonly sends: SendReadRepository,
  ) {}

  async apply(incoming: Incoming): Promise<IntakeTask[]> {
    const added = await this.entries.add(incoming);
    const tasks = await this.#apply(incoming, added);
    if (added) await this.entries.notify(added, incoming);
    return tasks;
  }

  /**
   * Applies a person's reply to its lead.
   * @param labelled the label by the rules
   * @param conversationId null when the conversation has a copy of the reply already
   */
  async applyReply(
    { message, mail }: Answer,
    match: KnownMatch,
    { labelled, conversationId }: { labelled: Labelled; conversationId: Types.ObjectId | null },
  ): Promise<IntakeTask[]> {
    const { lead, campaign, send, by } = match;
    const at = message.receivedAt;
    const firstOfLead = await this.leads.markFirst(lead, 'repliedAt', at);
    await this.leads.clearSoftBounces(lead);
    if (send) await this.sends.markProven(send);
    await this.recorder.record(match, {
      type: 'email.replied',
      // A copy in another mailbox has the same fingerprint.
      dedupeKey: `email.replied:${lead._id.toHexString()}:${message.fingerprint}`,
      at,
      data: {
        ...getEmailData(match),
        from: mail.from?.address ?? null,
        subject: mail.subject,
        text: mail.text,
        matchedBy: by,
        label: labelled.label,
        conversationId: conversationId?.toHexString() ?? null,
        firstOfLead,
      },
      ...(firstOfLead && { figure: 'replied', ofMailbox: 'replied' }),
    });
    const optsOut = isOptOut(labelled);
    return campaign.stopOnReply || optsOut ? this.#stop(match, optsOut ? 'unsubscribed' : 'replied') : [];
  }

  async #apply(incoming: Incoming, added: AddedMessage | null): Promise<IntakeTask[]> {
    const { classified, match, recipients } = incoming;
    switch (classified.kind) {
      case 'reply': {
        const labelled = labelAnswer(incoming.mail);
        const conversationId = added?.conversation._id ?? null;
        return [
          ...(match ? await this.applyReply(incoming, match, { labelled, conversationId }) : []),
          ...(added ? await this.labels.applyToReply(incoming, match, added, labelled) : []),
        ];
      }
      case 'auto_reply':
        if (added && classified.isOutOfOffice) {
          await this.labels.applyToOutOfOffice(added.conversation, classified.rule);
        }
        return match ? this.#applyAutoReply(incoming, match, classified) : [];
      case 'bounce': {
        const tasks: IntakeTask[] = [];
        for (const failed of classified.failed) {
          const about = match ?? (failed.address === null ? undefined : recipients.get(failed.address));
          if (about) tasks.push(...(await this.bounces.apply(incoming, about, failed)));
          else tasks.push(...(await this.bounces.applyToFormerLead(incoming, failed)));
        }
        return tasks;
      }
      case 'complaint': {
        const tasks: IntakeTask[] = [];
        for (const about of match ? [match] : recipients.values()) {
          tasks.push(...(await this.#applyComplaint(incoming, about)));
        }
        return [...tasks, ...(await this.#applyComplaintToFormerLead(incoming))];
      }
      case 'delayed':
        return [];
    }
  }

  /** An automatic reply is never a reply of the lead; an out-of-office reply pauses the lead until the return. */
  async #applyAutoReply(
    { message, mail }: Incoming,
    match: KnownMatch,
    { isOutOfOffice, returnsOn, rule }: Extract<ClassifiedMessage, { kind: 'auto_reply' }>,
  ): Promise<IntakeTask[]> {
    const { lead, campaign, send } = match;
    const at = message.receivedAt;
    if (send) await this.sends.markProven(send);
    const resumeAt = isOutOfOffice ? getResumeTime(at, returnsOn, campaign.sendingSchedule) : null;
    const isNew = await this.recorder.recordNow(match, {
      type: 'email.auto_replied',
      dedupeKey: `email.auto_replied:${lead._id.toHexString()}:${message.fingerprint}`,
      at,
      data: {
        ...getEmailData(match),
        from: mail.from?.address ?? null,
        rule,
        outOfOffice: isOutOfOffice,
        returnsOn,
        resumesAt: resumeAt?.toISOString() ?? null,
      },
      figure: 'autoReplied',
    });
    if (!resumeAt || !isNew) return [];
    const leadId = lead._id.toHexString();
    await this.recorder.stop(lead, { reason: 'auto_replied', status: 'paused', resumeAt });
    return [{ do: 'withhold', leadId, reason: 'auto_replied' }];
  }

  async #applyComplaint({ message, classified: { rule } }: Incoming, match: KnownMatch): Promise<IntakeTask[]> {
    const { lead, send } = match;
    const leadId = lead._id.toHexString();
    const sendId = send?._id.toHexString() ?? null;
    const at = message.receivedAt;
    if (send) {
      await this.sends.markProven(send);
      await this.sends.recordReturn(send, { verdict: 'complaint', rule, diagnostic: null, at });
    }
    await this.recorder.record(match, {
      type: 'email.complained',
      dedupeKey: `email.complained:${sendId ?? leadId}`,
      at,
      data: { ...getEmailData(match), rule },
      figure: 'complained',
    });
    await this.recorder.stop(lead, { reason: 'complained' });
    return [
      { do: 'withhold', leadId, reason: 'complained' },
      { do: 'suppress', address: lead.email, source: 'complaint', sendId, reason: SPAM_REPORT },
    ];
  }

  /** Suppresses the address of a deleted lead: other campaigns must not write to it. Nothing is counted. */
  async #applyComplaintToFormerLead({ former, message, classified: { rule } }: Incoming): Promise<IntakeTask[]> {
    if (!former) return [];
    await this.sends.recordReturn(former, { verdict: 'complaint', rule, diagnostic: null, at: message.receivedAt });
    const sendId = former._id.toHexString();
    return [{ do: 'suppress', address: former.email, source: 'complaint', sendId, reason: SPAM_REPORT }];
  }

  async #stop({ lead, campaign }: KnownMatch, reason: 'replied' | 'unsubscribed'): Promise<IntakeTask[]> {
    const leadId = lead._id.toHexString();
    const campaignId = campaign._id.toHexString();
    await this.recorder.stop(lead, { reason });
    const withhold: IntakeTask = { do: 'withhold', leadId, reason };
    if (!campaign.stopCompanyOnReply || isFreeMail(lead.domain)) return [withhold];
    return [withhold, { do: 'stop_company', campaignId, domain: getCompanyDomain(lead.domain) }];
  }
}
