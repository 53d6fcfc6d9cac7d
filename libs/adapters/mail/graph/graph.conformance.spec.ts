import { describeMailDriver } from '../conformance/mail.conformance';
import { openGraphWorld } from './testing/graph.world';

describeMailDriver('Microsoft Graph', openGraphWorld, { provesNotSent: true, keepsIdOnMove: true });
