export { createClient, getOrigin } from './client';
export { readContent } from './content';
export { type InvariantOptions, sendingFigures, type SendingFigures, violations } from './invariants';
export { acceptedFrom, type AcceptedMail, type ForbiddingAct } from './invariants-facts';
export { type Platform, type PlatformOptions, startPlatform, startTestWorker } from './platform';
export { type Person, type SeededWorkspace } from './seed';
export { sharedPlatform } from './shared-platforms';
export { expectFormA, expectFormB, inEachRow } from './expectations';
