import { createTransport } from 'nodemailer';
import { composed, type Sent, type Transport } from './message.ts';

interface SmtpFault extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
}

/** Errors about the mail itself are permanent; all others (including a wrong password) may be temporary. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

function classifyFailure(fault: SmtpFault): Sent {
  const reason = (fault.response ?? fault.message).slice(0, 300);
  const final = (fault.responseCode ?? 0) >= 500 && ABOUT_THE_MAIL.has(fault.code ?? '');
  return { outcome: final ? 'refused' : 'later', reason };
}

/**
 * Sends over SMTP, one connection per mail. A timeout counts as a temporary failure, so a hanging server delays a sender only
 * that long.
 */
export function smtpTransport(url: string, timeoutSeconds: number): Transport {
  const milliseconds = timeoutSeconds * 1_000;
  const transporter = createTransport({
    url,
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    dnsTimeout: milliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      try {
        await transporter.sendMail(composed(message));
        return { outcome: 'sent' };
      } catch (error) {
        return classifyFailure(error as SmtpFault);
      }
    },
    close: () => transporter.close(),
  };
}
