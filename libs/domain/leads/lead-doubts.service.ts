import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { LeadPauseService } from './lead-pause.service';
import { byCampaign } from './lead-tallies';
import { LeadRecord } from './schemas/lead.record';

type Doubtful = Pick<LeadRecord, '_id' | 'workspaceId' | 'campaignId'>;

const CHUNK = 500;

/** Leads of which it is not known whether they were written to: those of a database that was restored. */
@Injectable()
export class LeadDoubtsService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly pausing: LeadPauseService,
  ) {}

  /**
   * Pauses every lead of the workspace whose next email may have been sent until then: those that were due, those to which
   * one was on its way, and those that were paused and would have gone on by themselves. They go on when somebody resumes
   * them. What is done is not done again: repeat it after a failure.
   * @returns how many
   */
  async setAside(workspaceId: string, until: Date): Promise<number> {
    return (await this.#pause(workspaceId, until)) + (await this.#keepPaused(workspaceId, until));
  }

  async #pause(workspaceId: string, until: Date): Promise<number> {
    const isDoubtful = {
      workspaceId,
      status: 'active' as const,
      $or: [...wasDueBy(until), { sendId: { $ne: null } }],
    };
    let paused = 0;
    for (;;) {
      const found = await this.leads
        .find(isDoubtful, { workspaceId: 1, campaignId: 1 })
        .sort({ _id: 1 })
        .limit(CHUNK)
        .lean<Doubtful[]>();
      for (const { campaignId, of } of byCampaign(found)) {
        const [first] = of;
        if (first)
          paused += await this.pausing.pause(
            { workspaceId: first.workspaceId, campaignId },
            of.map(({ _id }) => _id),
            'restored',
          );
      }
      if (found.length < CHUNK) return paused;
    }
  }

  /** Those who were back in their office by then, and those whose address was being verified: nothing wakes them now. */
  async #keepPaused(workspaceId: string, until: Date): Promise<number> {
    const wasDue = { workspaceId, status: 'paused' as const, $or: wasDueBy(until) };
    const back = await this.leads.updateMany(
      { ...wasDue, resumeAt: { $gt: new Date(0), $lte: until } },
      { $set: { stopReason: 'restored', resumeAt: null } },
    );
    const verifying = await this.leads.updateMany(
      { ...wasDue, 'verification.nextAt': { $gt: new Date(0) } },
      { $set: { stopReason: 'restored', 'verification.nextAt': null } },
    );
    return back.modifiedCount + verifying.modifiedCount;
  }
}

/** A change of settings that is lost may have freed a lead that was postponed: its own due time counts too. */
function wasDueBy(until: Date) {
  return [{ dueAt: { $lte: until, $ne: null } }, { 'postponement.dueAt': { $lte: until } }];
}
