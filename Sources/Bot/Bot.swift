// Bot
