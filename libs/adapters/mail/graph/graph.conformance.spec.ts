import { describeMailDriver } from '../conformance/mail-conformance';
import { openGraphTestEnvironment } from './testing/graph-test-environment';

describeMailDriver('Microsoft Graph', openGraphTestEnvironment, { provesNotSent: true, keepsIdOnMove: true });
