export { chatConnection, chatMessage } from '../chat/testing/chat-records';
export { ConsentServer } from '../crm/testing/consent-server';
