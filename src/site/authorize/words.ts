import { inLanguage } from '../../look/words/in-language.ts';
import { html, type Html } from '../../html/template.ts';
import type { Role } from '../roles.ts';
import { countInWords } from '../../count-in-words.ts';

/** The texts of the pages at `/authorize` in one language. */
export interface AuthorizeWords {
  readonly passwords: string;
  readonly about: string;
  readonly newOne: string;
  readonly own: string;
  readonly signIn: string;
  readonly signOut: string;
  readonly edit: string;
  readonly login: string;
  readonly password: string;
  /** The application that asks; undefined if it has no name. */
  readonly application: (name: Html | undefined) => Html;
  readonly wantsToWrite: (application: Html) => Html;
  readonly approve: string;
  readonly wouldLike: (application: Html) => Html;
  readonly ledTo: (host: Html) => Html;
  readonly byHand: string;
  readonly yes: string;
  readonly no: string;
  readonly refused: string;
  readonly tellMaker: string;
  readonly tooOld: string;
  readonly again: string;
  readonly name: string;
  readonly make: string;
  readonly former: string;
  readonly next: (min: number) => string;
  readonly change: string;
  readonly signedInAs: (name: Html, role: string) => Html;
  readonly roles: Readonly<Record<Role, string>>;
  readonly madeFor: (name: Html) => Html;
  readonly keep: string;
  readonly none: string;
  readonly revoke: string;
  readonly heads: readonly [application: string, made: string, lastUsed: string];
  readonly never: string;
  readonly signedOut: string;
  readonly gone: string;
  readonly wrong: string;
  readonly tooMany: (seconds: number) => string;
  readonly wrongFormer: string;
  readonly length: (min: number, max: number) => string;
  readonly nameIt: string;
  /** What a form has done, shown on the page after the redirect. */
  readonly done: Readonly<Record<'revoked' | 'changed', string>>;
}

const en: AuthorizeWords = {
  passwords: 'Application passwords',
  about: 'Programs that write to this calendar use passwords of their own. You can revoke each one separately.',
  newOne: 'A new application password',
  own: 'Your own password',
  signIn: 'Sign in',
  signOut: 'Sign out',
  edit: 'Write events in the browser',
  login: 'User name or e-mail address',
  password: 'Password',
  application: (name) => name ?? html`An application`,
  wantsToWrite: (application) => html`${application} wants to write to this calendar for you. Sign in to decide.`,
  approve: 'Approve an application',
  wouldLike: (application) =>
    html`${application} would like to use this calendar as you: it could do whatever you can do through the interface. Do this only if you know and trust it.`,
  ledTo: (host) => html`You will be sent on to ${host}, which receives a new password for it.`,
  byHand: 'You will be shown a new password to enter there by hand.',
  yes: 'Yes, I approve',
  no: 'No, I don’t',
  refused: 'This request cannot be granted',
  tellMaker: 'Tell the makers of the application that sent you here.',
  tooOld: 'This form is too old, or was not sent from this page. Nothing was done; try again.',
  again: 'Try again',
  name: 'Name of the application',
  make: 'Make an application password',
  former: 'Your current password',
  next: (min) => `New password, at least ${min} characters`,
  change: 'Change my password',
  signedInAs: (name, role) => html`You are signed in as ${name}, ${role}.`,
  roles: {
    administrator: 'administrator',
    editor: 'editor',
    author: 'author',
    contributor: 'contributor',
    subscriber: 'subscriber',
  },
  madeFor: (name) => html`The new password for ${name} is:`,
  keep: 'Keep it in a safe place: it will not be shown again. The spaces do not matter.',
  none: 'You have no application passwords.',
  revoke: 'Revoke',
  heads: ['Application', 'Made', 'Last used'],
  never: 'never',
  signedOut: 'You are no longer signed in.',
  gone: 'This password has already been revoked.',
  wrong: 'The user name or the password is not correct. Application passwords are for programs; they do not work here.',
  tooMany: (seconds) => `Too many wrong attempts. Try again in ${countInWords(seconds, 'second')}.`,
  wrongFormer: 'Your current password is not correct. It was not changed.',
  length: (min, max) => `A password needs ${min} to ${max} characters. Yours was not changed.`,
  nameIt: 'Name the application that will use the password, in up to 200 characters.',
  done: {
    revoked: 'The password is revoked. The application that used it can no longer sign in.',
    changed: 'Your password is changed. Wherever else you were signed in, you are signed out.',
  },
};

const pl: AuthorizeWords = {
  passwords: 'Hasła aplikacji',
  about: 'Programy, które zapisują w tym kalendarzu, mają własne hasła; każde można odebrać osobno.',
  newOne: 'Nowe hasło aplikacji',
  own: 'Twoje hasło',
  signIn: 'Zaloguj się',
  signOut: 'Wyloguj się',
  edit: 'Dodawaj wydarzenia w przeglądarce',
  login: 'Nazwa użytkownika lub adres e-mail',
  password: 'Hasło',
  application: (name) => (name ? html`Aplikacja ${name}` : html`Nieznana aplikacja`),
  wantsToWrite: (application) =>
    html`${application} chce zapisywać w tym kalendarzu w Twoim imieniu. Zaloguj się, aby zdecydować.`,
  approve: 'Zgoda dla aplikacji',
  wouldLike: (application) =>
    html`${application} chce używać tego kalendarza w Twoim imieniu:
przez interfejs będzie mogła zrobić wszystko, co Ty. Zgódź się tylko wtedy, gdy ją znasz i jej ufasz.`,
  ledTo: (host) => html`Potem przejdziesz do ${host}, gdzie trafi nowe hasło dla tej aplikacji.`,
  byHand: 'Zobaczysz nowe hasło, które trzeba tam wpisać ręcznie.',
  yes: 'Tak, zgadzam się',
  no: 'Nie zgadzam się',
  refused: 'Nie można spełnić tej prośby',
  tellMaker: 'Powiadom twórców aplikacji, która Cię tu skierowała.',
  tooOld: 'Ten formularz jest za stary albo nie został wysłany z tej strony. Nic nie zrobiono; spróbuj jeszcze raz.',
  again: 'Spróbuj jeszcze raz',
  name: 'Nazwa aplikacji',
  make: 'Utwórz hasło aplikacji',
  former: 'Dotychczasowe hasło',
  next: (min) => `Nowe hasło, co najmniej ${min} znaków`,
  change: 'Zmień moje hasło',
  signedInAs: (name, role) => html`Zalogowano jako ${name} (${role}).`,
  roles: {
    administrator: 'administrator',
    editor: 'redaktor',
    author: 'autor',
    contributor: 'współpracownik',
    subscriber: 'subskrybent',
  },
  madeFor: (name) => html`Nowe hasło dla ${name}:`,
  keep: 'Zachowaj je w bezpiecznym miejscu: nie zostanie pokazane ponownie. Odstępy nie mają znaczenia.',
  none: 'Nie masz haseł aplikacji.',
  revoke: 'Odbierz',
  heads: ['Aplikacja', 'Utworzono', 'Ostatnio użyto'],
  never: 'nigdy',
  signedOut: 'Sesja wygasła. Zaloguj się ponownie.',
  gone: 'Tego hasła już nie ma.',
  wrong: 'Nazwa użytkownika lub hasło jest nieprawidłowe. Hasła aplikacji są dla programów; tutaj nie działają.',
  tooMany: (seconds) => `Za dużo nieudanych prób. Spróbuj ponownie za ${seconds} s.`,
  wrongFormer: 'Dotychczasowe hasło jest nieprawidłowe; hasła nie zmieniono.',
  length: (min, max) => `Hasło ma od ${min} do ${max} znaków; Twojego nie zmieniono.`,
  nameIt: 'Podaj nazwę aplikacji, która będzie używać hasła, do 200 znaków.',
  done: {
    revoked: 'Hasło jest odebrane. Aplikacja, która go używała, nie może się już zalogować.',
    changed: 'Twoje hasło jest zmienione. Wszędzie indziej nastąpiło wylogowanie.',
  },
};

const de: AuthorizeWords = {
  passwords: 'Anwendungspasswörter',
  about:
    'Programme, die in diesen Kalender schreiben, haben eigene Passwörter; jedes lässt sich für sich allein zurücknehmen.',
  newOne: 'Ein neues Anwendungspasswort',
  own: 'Das eigene Passwort',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  edit: 'Termine im Browser schreiben',
  login: 'Benutzername oder E-Mail-Adresse',
  password: 'Passwort',
  application: (name) => (name ? html`Die Anwendung ${name}` : html`Eine Anwendung`),
  wantsToWrite: (application) =>
    html`${application} möchte in Ihrem Namen in diesen Kalender schreiben. Melden Sie sich an, um zu entscheiden.`,
  approve: 'Einer Anwendung zustimmen',
  wouldLike: (application) =>
    html`${application} möchte diesen Kalender in Ihrem Namen benutzen:
Über die Schnittstelle könnte sie alles, was Sie können.
Stimmen Sie nur zu, wenn Sie sie kennen und ihr vertrauen.`,
  ledTo: (host) => html`Danach geht es weiter zu ${host}, wo das neue Passwort für sie ankommt.`,
  byHand: 'Sie bekommen ein neues Passwort gezeigt, das dort von Hand einzugeben ist.',
  yes: 'Ja, ich stimme zu',
  no: 'Nein',
  refused: 'Diese Bitte lässt sich nicht erfüllen',
  tellMaker: 'Sagen Sie es denen, die die Anwendung machen, von der Sie kommen.',
  tooOld:
    'Dieses Formular ist zu alt oder kam nicht von dieser Seite. Es ist nichts geschehen; versuchen Sie es noch einmal.',
  again: 'Noch einmal versuchen',
  name: 'Name der Anwendung',
  make: 'Anwendungspasswort erstellen',
  former: 'Bisheriges Passwort',
  next: (min) => `Neues Passwort, mindestens ${min} Zeichen`,
  change: 'Mein Passwort ändern',
  signedInAs: (name, role) => html`Angemeldet als ${name} (${role}).`,
  roles: {
    administrator: 'Verwaltung',
    editor: 'Redaktion',
    author: 'Autor',
    contributor: 'Mitarbeit',
    subscriber: 'Abonnent',
  },
  madeFor: (name) => html`Das neue Passwort für ${name}:`,
  keep: 'Bewahren Sie es sicher auf: Es wird nicht noch einmal gezeigt. Auf die Leerzeichen kommt es nicht an.',
  none: 'Sie haben keine Anwendungspasswörter.',
  revoke: 'Zurücknehmen',
  heads: ['Anwendung', 'Erstellt', 'Zuletzt benutzt'],
  never: 'nie',
  signedOut: 'Sie sind nicht mehr angemeldet.',
  gone: 'Dieses Passwort gibt es nicht mehr.',
  wrong:
    'Der Benutzername oder das Passwort stimmt nicht. Anwendungspasswörter sind für Programme; hier gelten sie nicht.',
  tooMany: (seconds) => `Zu viele falsche Versuche. Versuchen Sie es in ${seconds} s noch einmal.`,
  wrongFormer: 'Das bisherige Passwort stimmt nicht; es wurde nicht geändert.',
  length: (min, max) => `Ein Passwort hat ${min} bis ${max} Zeichen; Ihres wurde nicht geändert.`,
  nameIt: 'Nennen Sie die Anwendung, die das Passwort benutzen wird, in höchstens 200 Zeichen.',
  done: {
    revoked: 'Das Passwort ist zurückgenommen. Die Anwendung, die es benutzt hat, kommt nicht mehr hinein.',
    changed: 'Ihr Passwort ist geändert. Überall sonst sind Sie jetzt abgemeldet.',
  },
};

/** The texts for a language (`pl`, `de-AT`); English if there are none. */
export const authorizeWordsIn: (language: string) => AuthorizeWords = inLanguage({ en, de, pl });
