;;; behavior.el --- Rules for AI agents, checked as you type -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Starts the language server `behavior lsp' by Eglot for rule files, and for no other files of these modes, so that
;; another server can look after the rest:
;;
;;     (require 'behavior)
;;     (behavior-setup)
;;
;; Emacs 28 needs the packages `eglot' and `yaml-mode' besides.

;;; Code:

(require 'eglot)
(require 'seq)

(defgroup behavior nil
  "Rules for AI agents."
  :group 'tools)

(defcustom behavior-program "behavior"
  "The program, by its name or its path."
  :type 'string)

(defcustom behavior-options '(:showSteps t)
  "What the language server is told when it starts.
`:reference', `:showSteps' and `:sessions', as a property list."
  :type 'plist)

(defvar behavior-modes '(yaml-mode yaml-ts-mode conf-toml-mode toml-ts-mode json-mode json-ts-mode)
  "The modes that rule files may have.")

(defun behavior-rule-file-p ()
  "Return whether this buffer may be a rule file: rather one too many than one too few."
  (when buffer-file-name
    (let ((name buffer-file-name))
      (or (string-match-p "\\(?:\\`\\|/\\)behavior\\.ya?ml\\'" name)
          (string-match-p "/behavior/[^/]+\\.\\(?:ya?ml\\|toml\\|json\\)\\'" name)
          (string-match-p "\\.\\(?:test\\|policy\\)\\.\\(?:ya?ml\\|json\\)\\'" name)
          (string-match-p "/templates/workflows/[^/]+\\.\\(?:ya?ml\\|json\\)\\'" name)
          (string-match-p "/policy\\.toml\\'" name)
          (save-excursion
            (save-restriction
              (widen)
              (goto-char (point-min))
              (or (looking-at-p "#[ \t]*behavior:")
                  (and (search-forward "security" nil t) (search-forward "behavior" nil t)))))))))

(defun behavior-contact (&rest _)
  "Return how the language server is started."
  (append (list behavior-program "lsp")
          (and behavior-options (list :initializationOptions behavior-options))))

(defun behavior-maybe-start ()
  "Start the language server where this buffer may be a rule file."
  (when (behavior-rule-file-p)
    (if (not (executable-find behavior-program))
        (message "rules are not checked: there is no program `%s'; see `behavior-program'" behavior-program)
      (setq-local eglot-server-programs
                  (cons (cons behavior-modes #'behavior-contact) eglot-server-programs))
      (eglot-ensure))))

;;;###autoload
(defun behavior-setup ()
  "Start the language server for rule files from now on."
  (dolist (mode behavior-modes)
    (add-hook (intern (format "%s-hook" mode)) #'behavior-maybe-start)))

(provide 'behavior)
;;; behavior.el ends here
