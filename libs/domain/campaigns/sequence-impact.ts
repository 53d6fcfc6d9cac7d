import { isDeepStrictEqual } from 'node:util';
import { type RemovedStep, type SequenceStep } from './schemas/campaign-sequence.record';
import { UNWRITTEN } from './campaign-hooks';
import { removedSteps, stepById, stepFor } from './sequence-steps';

export const STEP_CHANGES = ['added', 'changed', 'kept', 'removed'] as const;
export type StepChange = (typeof STEP_CHANGES)[number];

/** The effect of a new version on one step and on the leads whose next step it is. */
export interface StepImpact {
  /** null for a new step. */
  stepId: string | null;
  name: string;
  change: StepChange;
  orderNow: number | null;
  orderThen: number | null;
  leads: number;
  effect: string;
}

/**
 * Compares the published version with one that might follow it; steps in their order to come, removed ones last. Pure.
 * @param leads by the id of the step that is next for them; those under `UNWRITTEN` begin with whatever step comes first then
 */
export function getImpact(
  before: { steps: readonly SequenceStep[]; removed: readonly RemovedStep[] },
  steps: readonly SequenceStep[],
  leads: ReadonlyMap<string, number>,
): StepImpact[] {
  const removals = removedSteps(before, steps);
  const counts = new Map<string, number>();
  for (const [stepId, count] of leads) {
    const at = String(stepId === UNWRITTEN ? steps[0]?._id : stepFor(before, stepId)?._id);
    counts.set(at, (counts.get(at) ?? 0) + count);
  }
  const leadsAt = ({ _id }: SequenceStep) => counts.get(_id.toHexString()) ?? 0;
  const staying = steps.map((step) => {
    const old = stepById(before.steps, step._id);
    return old ? stays(old, step, leadsAt(step)) : added(step, before.removed, leadsAt(step));
  });
  const leaving = before.steps
    .filter(({ _id }) => !stepById(steps, _id))
    .map((step) => removed(step, leadsAt(step), findNextStep(step, removals, steps)));
  return [...staying, ...leaving];
}

function stays(old: SequenceStep, step: SequenceStep, leads: number): StepImpact {
  const change = isDeepStrictEqual(plain(old), plain(step)) ? 'kept' : 'changed';
  const [orderNow, orderThen] = [old.order, step.order];
  const effect = change === 'kept' ? 'Nothing changes for them.' : 'They are sent the step as it is then.';
  return { stepId: step._id.toHexString(), name: step.name, change, orderNow, orderThen, leads, effect };
}

function added(step: SequenceStep, before: readonly RemovedStep[], leads: number): StepImpact {
  const comesBack = before.some(({ stepId }) => String(stepId) === String(step._id));
  return {
    stepId: comesBack ? step._id.toHexString() : null,
    name: step.name,
    change: 'added',
    orderNow: null,
    orderThen: step.order,
    leads,
    effect:
      step.order === 0
        ? 'Leads without an email start with it; no other lead gets it.'
        : 'Leads for whom a later step is next are not sent it.',
  };
}

function removed(step: SequenceStep, leads: number, next: SequenceStep | undefined): StepImpact {
  return {
    stepId: step._id.toHexString(),
    name: step.name,
    change: 'removed',
    orderNow: step.order,
    orderThen: null,
    leads,
    effect: next ? `They go on with “${next.name}”.` : 'The sequence is finished for them.',
  };
}

function findNextStep({ _id }: SequenceStep, removals: readonly RemovedStep[], steps: readonly SequenceStep[]) {
  const next = removals.find(({ stepId }) => String(stepId) === String(_id))?.nextStepId;
  return next ? stepById(steps, next) : undefined;
}

/** Ids as text, because equal ids are different objects. */
function plain(step: SequenceStep): unknown {
  return JSON.parse(JSON.stringify(step)) as unknown;
}
