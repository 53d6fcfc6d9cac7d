import { describeMailDriver } from '../conformance/mail-conformance';
import { GMAIL_TRAITS, openGmailTestEnvironment } from './testing/gmail-test-environment';

describeMailDriver('Gmail', openGmailTestEnvironment, GMAIL_TRAITS);
