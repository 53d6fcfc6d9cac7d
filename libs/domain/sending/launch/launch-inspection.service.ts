import {
  CampaignCountersService,
  type CampaignRecord,
  fitsPlace,
  SequencesService,
  type TemplateNeed,
} from '@domain/campaigns';
import { type MailboxFacts, MailboxRepository, findSendingObstacle } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { emailVariables } from '../render/email-variables';
import { describeMissingValue } from '../render/missing-value-message';
import { type LaunchFacts, type SenderFacts } from './launch-checks';
import { launchSequence } from './launch-sequence';
import { LeadSampleRepository } from './lead-sample.repository';

/** Finds out what a start depends on. Costs the same whatever the number of leads. */
@Injectable()
export class LaunchInspectionService {
  constructor(
    private readonly sequences: SequencesService,
    private readonly counters: CampaignCountersService,
    private readonly samples: LeadSampleRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly turns: MailboxLeaseService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  async facts(campaign: CampaignRecord): Promise<LaunchFacts> {
    const { _id: campaignId, workspaceId } = campaign;
    const { steps, faults, ofLeads, ofSenders } = launchSequence(await this.sequences.current(campaign));
    const [mailboxes, sums, sample, isVerifying] = await Promise.all([
      this.mailboxes.listAll(workspaceId, campaign.mailboxes),
      this.counters.of(workspaceId, [campaignId]),
      this.samples.lacking({ workspaceId, campaignId }, ofLeads),
      this.samples.anyVerifying({ workspaceId, campaignId }),
    ]);
    return {
      now: this.clock.now(),
      senders: await this.#senders(campaign, mailboxes),
      sequence: { steps, faults },
      activeLeads: sums.get(campaignId.toHexString())?.leads.active ?? 0,
      isVerifying,
      sample,
      senderLacks: senderLacks(mailboxes, ofSenders),
      schedule: campaign.sendingSchedule,
      includesUnsubscribeLink: campaign.includeUnsubscribeLink,
      publicUrl: this.config.publicUrl,
    };
  }

  async #senders({ workspaceId }: CampaignRecord, mailboxes: readonly MailboxFacts[]): Promise<SenderFacts[]> {
    const ids = mailboxes.map(({ _id }) => _id.toHexString());
    const turns = await this.turns.statesOf(workspaceId.toHexString(), ids);
    return mailboxes.map((mailbox) => {
      const stopped = turns.get(mailbox._id.toHexString())?.stopped;
      const obstacle = findSendingObstacle(mailbox)?.message ?? (stopped ? stoppedBy(stopped.message) : null);
      const { spf, dkim, dmarc } = mailbox.setup;
      return { email: mailbox.email, obstacle, dns: { spf, dkim, dmarc } };
    });
  }
}

function stoppedBy(message: string): string {
  return `was stopped (${message}) until it is resumed`;
}

/** What is wanted that some or all of the mailboxes have not. */
function senderLacks(
  mailboxes: readonly MailboxFacts[],
  needs: readonly TemplateNeed[],
): Map<string, { all: boolean }> {
  const lacks = new Map<string, { all: boolean }>();
  if (mailboxes.length === 0) return lacks;
  const lookups = mailboxes.map(({ email, displayName }) =>
    emailVariables({ email: '' }, { email, displayName, unsubscribeUrl: '', signature: () => '' }),
  );
  for (const need of needs) {
    const without = lookups.filter((valueOf) => !fitsPlace(need.place, valueOf(need.name))).length;
    if (without > 0) lacks.set(describeMissingValue(need), { all: without === mailboxes.length });
  }
  return lacks;
}
