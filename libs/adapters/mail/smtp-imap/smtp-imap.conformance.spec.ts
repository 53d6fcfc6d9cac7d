import { describeMailDriver } from '../conformance/mail-conformance';
import { openSandboxTestEnvironment } from './testing/sandbox-test-environment';

describeMailDriver('SMTP and IMAP', openSandboxTestEnvironment, { provesNotSent: false, keepsIdOnMove: false });
