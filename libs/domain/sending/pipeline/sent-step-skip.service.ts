import { systemScope } from '@domain/access';
import { CampaignCountersService, nextStep, SequenceVersionService } from '@domain/campaigns';
import { EventsService } from '@domain/events';
import { DueLeadRepository } from '@domain/leads';
import { isFinal, mayBecome, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { afterDelay } from '@platform/time';
import { type EngineCampaign, type EngineLead } from './mailbox-sender-cache';

/** The postponement of a lead whose send is not final yet. */
const ON_ITS_WAY_MS = 900_000;

/** Leads at a step that they already received: the sequence was reordered, or the step failed and the lead continues. */
@Injectable()
export class SentStepSkipService {
  constructor(
    private readonly sends: SendRepository,
    private readonly leads: DueLeadRepository,
    private readonly sequences: SequenceVersionService,
    private readonly counters: CampaignCountersService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Moves the lead behind a step whose send is final, and postpones a due lead whose send is not final, so that it does not
   * block others. False when neither is the reason why the lead could not be claimed.
   */
  async skipSentSteps({ record: campaign }: EngineCampaign, { record: lead, email }: EngineLead): Promise<boolean> {
    const all = await this.sends.listOfLead(lead.workspaceId, lead._id);
    const had = all.find(({ stepId }) => email && stepId.equals(email.step._id));
    if (!email || !had) return false;
    const now = this.clock.now();
    if (!isFinal(had.state)) {
      if (mayBecome(had.state, 'claimed')) return false;
      await this.leads.postpone(lead, new Date(now.getTime() + ON_ITS_WAY_MS));
      return true;
    }
    const sequence = await this.sequences.findCurrent(campaign);
    const following = sequence && nextStep(sequence.steps, email.step._id);
    const dueAt = following ? afterDelay(now, following.delay, campaign.sendingSchedule) : now;
    return this.transactions.run(async () => {
      const passed = await this.leads.skipStep(lead, following ? { stepId: following._id, dueAt } : null);
      if (!passed) return false;
      if (passed.finished) await this.#finished(lead);
      return true;
    });
  }

  async #finished({ _id, workspaceId, campaignId, email }: EngineLead['record']): Promise<void> {
    const workspace = systemScope(workspaceId.toHexString());
    const leadId = _id.toHexString();
    await this.counters.count(workspaceId, campaignId, null, { leads: { active: -1, completed: 1 } });
    await this.events.record(workspace, {
      type: 'lead.completed',
      dedupeKey: `lead.completed:${leadId}`,
      about: { campaignId: campaignId.toHexString(), leadId },
      data: { email, status: 'completed', reason: 'finished' },
    });
  }
}
