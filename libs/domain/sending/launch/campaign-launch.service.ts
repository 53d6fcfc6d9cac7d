import { type WorkspaceScope } from '@domain/access';
import {
  CampaignCountersService,
  type CampaignRecord,
  CampaignRepository,
  type CampaignResponse,
  CampaignsService,
  CampaignStatusService,
  fitsPlace,
  requireMove,
  SequenceVersionService,
  type TemplateNeed,
} from '@domain/campaigns';
import { type MailboxFacts, MailboxRepository, findSendingObstacle } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type ReadinessResponse, toReadiness } from '../dto/readiness.dto';
import { emailVariables } from '../render/email-variables';
import { describeMissingValue } from '../render/missing-value-message';
import { campaignNotReady } from '../sending.errors';
import { launchChecks, type LaunchFacts, type SenderFacts } from './launch-checks';
import { launchSequence } from './launch-sequence';
import { LeadSampleRepository } from './lead-sample.repository';

/** Starts campaigns, but only those that can send. */
@Injectable()
export class CampaignLaunchService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly transitions: CampaignStatusService,
    private readonly view: CampaignsService,
    private readonly sequences: SequenceVersionService,
    private readonly counters: CampaignCountersService,
    private readonly samples: LeadSampleRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly leases: MailboxLeaseService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /** Checks whether the campaign could start now; also for an active campaign. @throws NOT_FOUND */
  async readiness(workspace: WorkspaceScope, campaignId: string): Promise<ReadinessResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    return toReadiness(launchChecks(await this.#readFacts(campaign)));
  }

  /**
   * Makes a draft, paused or completed campaign active. Returns at once: its mailboxes send in their next runs.
   * @throws NOT_FOUND, CONFLICT naming the status, CAMPAIGN_NOT_READY naming every failed check, CONFLICT if the
   * campaign was changed during the check
   */
  async start(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    requireMove('start', campaign.status);
    const checks = launchChecks(await this.#readFacts(campaign));
    const failed = checks.filter(({ status }) => status === 'failed');
    if (failed.length > 0) throw campaignNotReady(failed.map(({ check, message }) => ({ field: check, message })));
    const activated = await this.transitions.activate(workspace, campaignId, campaign.revision);
    await this.transitions.notify(workspace, activated);
    return this.view.show(workspace, activated.after);
  }

  async #readFacts(campaign: CampaignRecord): Promise<LaunchFacts> {
    const { _id: campaignId, workspaceId } = campaign;
    const { steps, faults, ofLeads, ofSenders } = launchSequence(await this.sequences.findCurrent(campaign));
    const [mailboxes, sums, sample, isVerifying] = await Promise.all([
      this.mailboxes.listAll(workspaceId, campaign.mailboxes),
      this.counters.sum(workspaceId, [campaignId]),
      this.samples.lacking({ workspaceId, campaignId }, ofLeads),
      this.samples.anyVerifying({ workspaceId, campaignId }),
    ]);
    return {
      now: this.clock.now(),
      senders: await this.#readSenders(campaign, mailboxes),
      sequence: { steps, faults },
      activeLeads: sums.get(campaignId.toHexString())?.leads.active ?? 0,
      isVerifying,
      sample,
      senderLacks: getSenderLacks(mailboxes, ofSenders),
      schedule: campaign.sendingSchedule,
      includesUnsubscribeLink: campaign.includeUnsubscribeLink,
      publicUrl: this.config.publicUrl,
    };
  }

  async #readSenders({ workspaceId }: CampaignRecord, mailboxes: readonly MailboxFacts[]): Promise<SenderFacts[]> {
    const ids = mailboxes.map(({ _id }) => _id.toHexString());
    const states = await this.leases.findStates(workspaceId.toHexString(), ids);
    return mailboxes.map((mailbox) => {
      const stopped = states.get(mailbox._id.toHexString())?.stopped;
      const obstacle = findSendingObstacle(mailbox)?.message ?? (stopped ? describeStop(stopped.message) : null);
      const { spf, dkim, dmarc } = mailbox.setup;
      return { email: mailbox.email, obstacle, dns: { spf, dkim, dmarc } };
    });
  }
}

function describeStop(message: string): string {
  return `was stopped (${message}) until it is resumed`;
}

/** The placeholders for which some or all mailboxes have no value. */
function getSenderLacks(
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
