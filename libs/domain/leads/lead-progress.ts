import { type Types, type UpdateQuery } from 'mongoose';
import { isFinal } from './lead-status';
import { type LeadRecord, type LeadThread } from './schemas/lead.record';

/** What was sent, as far as the lead keeps it. */
export interface LeadProgress {
  readonly sentAt: Date;
  /** The step that comes next and when; null when that was the last one. */
  readonly next: { readonly stepId: Types.ObjectId; readonly dueAt: Date } | null;
  readonly thread: LeadThread;
}

/** The status that it had, and whether it is completed now. */
export interface AdvancedLead {
  readonly from: LeadRecord['status'];
  readonly finished: boolean;
}

/** How a lead with this status goes on: one that was stopped in the meantime keeps its end. */
export function advanced(
  status: LeadRecord['status'],
  { sentAt, next, thread }: LeadProgress,
): { update: UpdateQuery<LeadRecord>; finished: boolean } {
  const goesOn = !isFinal(status);
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
