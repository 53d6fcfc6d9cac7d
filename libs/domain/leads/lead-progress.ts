import { type Types, type UpdateQuery } from 'mongoose';
import { isFinalLeadStatus } from './lead-status';
import { type LeadRecord, type LeadThread } from './schemas/lead.record';

/** The facts of a sent email that the lead stores. */
export interface LeadProgress {
  readonly sentAt: Date;
  /** The next step and its due time; null after the last step. */
  readonly next: { readonly stepId: Types.ObjectId; readonly dueAt: Date } | null;
  readonly thread: LeadThread;
}

/** The previous status, and whether the sequence is finished. */
export interface AdvancedLead {
  readonly from: LeadRecord['status'];
  readonly finished: boolean;
}

/** The update of a lead with this status; a lead that was stopped in the meantime keeps its status. */
export function getAdvance(
  status: LeadRecord['status'],
  { sentAt, next, thread }: LeadProgress,
): { update: UpdateQuery<LeadRecord>; finished: boolean } {
  const goesOn = !isFinalLeadStatus(status);
  const finished = goesOn && next === null;
  return {
    update: {
      $set: {
        sendId: null,
        thread,
        lastSentAt: sentAt,
        stepId: next?.stepId ?? null,
        dueAt: goesOn ? (next?.dueAt ?? null) : null,
        ...(finished && { status: 'completed', stopReason: 'finished', resumeAt: null }),
      },
      $inc: { sentCount: 1 },
    },
    finished,
  };
}
