export { contentOf } from './content';
export { type Platform, type PlatformOptions, startPlatform, startTestWorker } from './platform';
export { type Person, type SeededWorkspace } from './seed';
export { expectFormA, expectFormB } from './expectations';
