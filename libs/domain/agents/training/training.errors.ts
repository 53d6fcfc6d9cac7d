import { conflict, defineError, limitExceeded, notFound } from '@platform/errors';

/** The training has ended, or another worker continues it. */
export class TrainingSupersededError extends Error {
  override readonly name = 'TrainingSupersededError';
}

/** Codes in the `error` of a failed training. */
export const SITE_UNREADABLE = defineError(
  'SITE_UNREADABLE',
  'unprocessable',
  'No page of the website could be read; the message says why. Appears in the `error` of a training.',
);
export const TRAINING_STUCK = defineError(
  'TRAINING_STUCK',
  'unprocessable',
  'The training made no progress in repeated attempts. Appears in the `error` of a training.',
);

export const unknownTraining = () => notFound('Training');
export const trainingUnderWay = () => conflict('A training of this agent is running; wait until it ends');
/** @param most maximum number of trainings of a workspace per day */
export const tooManyTrainings = (most: number) =>
  limitExceeded(`A workspace may start ${most} trainings in 24 hours; try again later`);
