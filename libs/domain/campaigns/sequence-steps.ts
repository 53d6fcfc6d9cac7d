import { type RemovedStep, type SequenceStep } from './schemas/campaign-sequence.record';

interface Named {
  toString(): string;
}

/** The step with this id; undefined when this version has none. */
export function stepById(steps: readonly SequenceStep[], stepId: Named): SequenceStep | undefined {
  return steps.find(({ _id }) => String(_id) === String(stepId));
}

/** The step after this one; null selects the first step. Undefined after the last step and for an unknown step. */
export function nextStep(steps: readonly SequenceStep[], afterStepId: Named | null): SequenceStep | undefined {
  if (afterStepId === null) return steps[0];
  const at = steps.findIndex(({ _id }) => String(_id) === String(afterStepId));
  return at < 0 ? undefined : steps[at + 1];
}

/**
 * The step for a lead whose next step was `stepId` in any version. A removed step is replaced by its stored successor.
 * Undefined when no step is left to send. null stands for a lead before its first step.
 */
export function stepFor(
  { steps, removed }: { steps: readonly SequenceStep[]; removed: readonly RemovedStep[] },
  stepId: Named | null,
): SequenceStep | undefined {
  if (stepId === null) return steps[0];
  const next = removed.find((step) => String(step.stepId) === String(stepId))?.nextStepId;
  return stepById(steps, stepId) ?? (next ? stepById(steps, next) : undefined);
}

/**
 * Maps each removed step to its successor, the first later step that still exists. The next version stores this map. A step
 * that is added again leaves the map.
 */
export function removedSteps(
  before: { steps: readonly SequenceStep[]; removed: readonly RemovedStep[] },
  steps: readonly SequenceStep[],
): RemovedStep[] {
  const stays = new Set(steps.map(({ _id }) => String(_id)));
  const surviving = (from: number) => before.steps.slice(from).find(({ _id }) => stays.has(String(_id)))?._id ?? null;
  const successor = (stepId: RemovedStep['nextStepId']) => {
    const at = stepId === null ? -1 : before.steps.findIndex(({ _id }) => String(_id) === String(stepId));
    return at < 0 ? null : surviving(at);
  };
  const earlier = before.removed.map(({ stepId, nextStepId }) => ({ stepId, nextStepId: successor(nextStepId) }));
  const now = before.steps.map(({ _id }, at) => ({ stepId: _id, nextStepId: surviving(at + 1) }));
  return [...earlier, ...now].filter(({ stepId }) => !stays.has(String(stepId)));
}
