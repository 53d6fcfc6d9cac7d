import { describeMailDriver } from '../conformance/mail-conformance';
import { openGraphWorld } from './testing/graph-test-environment';

describeMailDriver('Microsoft Graph', openGraphWorld, { provesNotSent: true, keepsIdOnMove: true });
