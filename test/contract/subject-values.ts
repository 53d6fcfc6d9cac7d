export const AT = new Date('2026-11-20T10:00:00.123Z');
export const STORED_PASSWORD = 'canary-stored-password';
export const CRM_KEY = 'canary-token';
