import { describeMailDriver } from '../conformance/mail-conformance';
import { openSandboxWorld } from './testing/sandbox-test-environment';

describeMailDriver('SMTP and IMAP', openSandboxWorld, { provesNotSent: false, keepsIdOnMove: false });
