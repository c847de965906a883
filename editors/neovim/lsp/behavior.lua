-- Neovim 0.11 and later find the language server here.
return require("behavior").config()
